"""What tools/check-worker and tools/bench/worker run: engines, workers, and what disturbs them."""
