"""Making messages fit a target: what it would refuse is changed or refused before anything is sent."""
