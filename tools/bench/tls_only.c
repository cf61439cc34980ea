// The memory of a TLS connection in OpenSSL, for tools/bench/growth: holds connections to a server and prints by how many
// bytes the resident memory grew for each connection after the first. Usage: tls_only PORT CA.pem COUNT

#include <arpa/inet.h>
#include <openssl/ssl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

static void fail(const char *what) {
    fprintf(stderr, "%s\n", what);
    exit(2);
}

static long resident(void) {
    long pages = 0, all = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, "%ld %ld", &all, &pages) != 2) fail("/proc/self/statm cannot be read");
    fclose(file);
    return pages * sysconf(_SC_PAGESIZE);
}

static void hold(SSL_CTX *context, int port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((unsigned short)port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int descriptor = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(descriptor, (struct sockaddr *)&address, sizeof address) != 0) fail("cannot connect");
    SSL *tls = SSL_new(context);
    SSL_set_fd(tls, descriptor);
    if (SSL_connect(tls) != 1) fail("the TLS handshake failed");
    // The preface with empty SETTINGS; the server's SETTINGS come back, and with them its session tickets. The
    // last zero of the frame is the end of the string.
    static const char preface[] = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0";
    char answer[4096];
    if (SSL_write(tls, preface, sizeof preface) <= 0 || SSL_read(tls, answer, sizeof answer) <= 0) fail("no HTTP/2");
}

int main(int count, char **arguments) {
    if (count != 4) fail("usage: tls_only PORT CA.pem COUNT");
    int port = atoi(arguments[1]), connections = atoi(arguments[3]);
    SSL_CTX *context = SSL_CTX_new(TLS_client_method());
    if (!context || SSL_CTX_load_verify_locations(context, arguments[2], NULL) != 1) fail("no authorities");
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER, NULL);
    SSL_CTX_set_alpn_protos(context, (const unsigned char *)"\2h2", 3);
    hold(context, port);
    long before = resident();
    for (int number = 1; number < connections; number++) hold(context, port);
    printf("%ld\n", (resident() - before) / (connections - 1));
    return 0;
}
