"""What tools/release is made of."""
