"""A proxy of this machine that ends TLS, as a load balancer in front of a gateway does, with the standard library only."""

import contextlib
import select
import socket
import ssl
import threading


class TLSForwarder:
    """Passes on what comes over TLS to another port, byte for byte, until the end of the `with`."""

    def __init__(self):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        with contextlib.suppress(OSError):
            self.listener.shutdown(socket.SHUT_RDWR)  # ends the thread that accepts
        self.listener.close()

    def forward(self, port, certificate, key):
        """Begins to pass connections on to a port of this machine."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        context.set_alpn_protocols(["http/1.1"])
        threading.Thread(target=self.accept, args=(port, context), daemon=True).start()

    def accept(self, port, context):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=relay, args=(connection, port, context), daemon=True).start()


def relay(connection, port, context):
    """Serves one connection; whoever closes it closes both sides."""
    with contextlib.suppress(OSError), context.wrap_socket(connection, server_side=True) as client:
        with socket.create_connection(("127.0.0.1", port)) as server:
            while True:
                # What is decrypted already makes no socket ready.
                ready = [client] if client.pending() else select.select([client, server], [], [])[0]
                for source in ready:
                    data = source.recv(1 << 16)
                    if not data:
                        return
                    (server if source is client else client).sendall(data)
