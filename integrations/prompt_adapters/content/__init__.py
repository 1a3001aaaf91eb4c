"""What a message holds: frozen, comparable values that know no vendor."""
