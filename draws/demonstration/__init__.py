"""The demonstration hall and its session, made through the same services as any other."""
