"""One prompt, written once, becomes the exact request that each model provider wants."""
