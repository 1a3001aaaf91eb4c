from hypothesis import HealthCheck, settings

# Machines that run the tests are shared, so a slow example is no failure.
settings.register_profile("shared", deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True)
settings.load_profile("shared")
