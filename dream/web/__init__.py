"""The page and the metrics on 127.0.0.1: one small WSGI application, served by the standard library."""
