#pragma once
#include <openssl/ssl.h>

// --- TLSSession
#include <arpa/inet.h>
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/pkcs12.h>
#include <openssl/provider.h>
#include <openssl/x509v3.h>
#include <string.h>

// What both ends have in common. A maximum of 0 is the newest that the library has.
//
// Resumption is off (no tickets, no cache): push connections live for hours, so a full handshake is rare, and a
// resumed one would skip the client certificate. Renegotiation and compression are off as HTTP/2 asks (RFC 9113,
// 9.2.1). The record buffers (about 34 KiB a connection) are kept between calls (no SSL_MODE_RELEASE_BUFFERS), so
// reading and writing allocate nothing. Partial writes are off: a byte queue takes whatever is written.
static inline int COpenSSL_configure(SSL_CTX *context, int minimum, int maximum) {
    static const unsigned char name[] = "apns-toolkit";
    SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION | SSL_OP_NO_TICKET);
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
    SSL_CTX_set_mode(context, SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_AUTO_RETRY);
    return SSL_CTX_set_min_proto_version(context, minimum) && SSL_CTX_set_max_proto_version(context, maximum)
        && SSL_CTX_set_session_id_context(context, name, sizeof name - 1) && SSL_CTX_set_num_tickets(context, 0)
        && SSL_CTX_set_cipher_list(context, "ECDHE+AESGCM:ECDHE+CHACHA20");
}

// Verifies the chain, leaves the result for SSL_get_verify_result, and lets the handshake go on whatever it is.
static inline int COpenSSL_recordVerification(X509_STORE_CTX *store, void *unused) {
    (void)unused;
    if (X509_verify_cert(store) <= 0 && X509_STORE_CTX_get_error(store) == X509_V_OK) {
        X509_STORE_CTX_set_error(store, X509_V_ERR_UNSPECIFIED);
    }
    return 1;
}

static inline void COpenSSL_requestClientCertificate(SSL_CTX *context) {
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER, NULL);
    SSL_CTX_set_cert_verify_callback(context, COpenSSL_recordVerification, NULL);
}

static inline int COpenSSL_selectProtocol(
    SSL *session, const unsigned char **selected, unsigned char *selectedCount, const unsigned char *offered,
    unsigned int offeredCount, void *wire) {
    unsigned char *found = NULL;
    const unsigned char *ours = (const unsigned char *)wire;
    (void)session;
    if (SSL_select_next_proto(
            &found, selectedCount, ours, (unsigned int)strlen((const char *)wire), offered, offeredCount)
        != OPENSSL_NPN_NEGOTIATED) {
        return SSL_TLSEXT_ERR_ALERT_FATAL;
    }
    *selected = found;
    return SSL_TLSEXT_ERR_OK;
}

// `wire` is the list of RFC 7301 with a 0 byte after it, and must live as long as the context and its sessions.
static inline void COpenSSL_selectProtocols(SSL_CTX *context, unsigned char *wire) {
    SSL_CTX_set_alpn_select_cb(context, COpenSSL_selectProtocol, wire);
}

// Has `choose` called with `argument` once a client has said which host it wants, before a certificate is shown to it.
static inline void COpenSSL_onServerName(SSL_CTX *context, int (*choose)(SSL *, int *, void *), void *argument) {
    SSL_CTX_set_tlsext_servername_callback(context, choose);
    SSL_CTX_set_tlsext_servername_arg(context, argument);
}

static inline int COpenSSL_setServerName(SSL *session, const char *name) {
    return (int)SSL_set_tlsext_host_name(session, name);
}

// Whether a read that gave nothing may give something later; if not, that was the end of the stream.
static inline void COpenSSL_setReadAgain(BIO *bio, int again) {
    BIO_clear_retry_flags(bio);
    if (again) { BIO_set_retry_read(bio); }
}

static inline X509 *COpenSSL_peerLeaf(SSL *session) {
    X509 *leaf = SSL_get0_peer_certificate(session);
    STACK_OF(X509) *chain = SSL_get_peer_cert_chain(session);
    return leaf != NULL || chain == NULL || sk_X509_num(chain) == 0 ? leaf : sk_X509_value(chain, 0);
}

static inline int COpenSSL_count(const STACK_OF(X509) *chain) { return chain == NULL ? 0 : sk_X509_num(chain); }
static inline X509 *COpenSSL_certificate(const STACK_OF(X509) *chain, int index) {
    return sk_X509_value(chain, index);
}
static inline STACK_OF(X509) *COpenSSL_newChain(void) { return sk_X509_new_null(); }
static inline int COpenSSL_append(STACK_OF(X509) *chain, X509 *certificate) {
    return sk_X509_push(chain, certificate);
}
static inline void COpenSSL_freeChain(STACK_OF(X509) *chain) { sk_X509_pop_free(chain, X509_free); }
static inline void COpenSSL_free(void *bytes) { OPENSSL_free(bytes); }

// What OpenSSL asks for a passphrase through; without one it would ask on the terminal.
typedef struct {
    const char *bytes;  // NULL when the caller has none
    int count;
    int asked;
} COpenSSL_Passphrase;

static inline int COpenSSL_givePassphrase(char *buffer, int size, int writing, void *context) {
    COpenSSL_Passphrase *passphrase = (COpenSSL_Passphrase *)context;
    (void)writing;
    passphrase->asked = 1;
    if (passphrase->bytes == NULL || passphrase->count > size) { return -1; }
    memcpy(buffer, passphrase->bytes, (size_t)passphrase->count);
    return passphrase->count;
}

static inline EVP_PKEY *COpenSSL_readKey(BIO *bio, COpenSSL_Passphrase *passphrase) {
    return PEM_read_bio_PrivateKey(bio, NULL, COpenSSL_givePassphrase, passphrase);
}

static inline X509 *COpenSSL_readCertificate(BIO *bio) {
    COpenSSL_Passphrase none = {NULL, 0, 0};
    return PEM_read_bio_X509(bio, NULL, COpenSSL_givePassphrase, &none);
}

// Seconds since 1970; false when the time is not one.
static inline int COpenSSL_seconds(const ASN1_TIME *time, int64_t *seconds) {
    int days = 0, rest = 0;
    ASN1_TIME *epoch = ASN1_TIME_set(NULL, 0);
    int done = epoch != NULL && time != NULL && ASN1_TIME_diff(&days, &rest, epoch, time);
    ASN1_TIME_free(epoch);
    *seconds = (int64_t)days * 86400 + rest;
    return done;
}
static inline int COpenSSL_notBefore(X509 *certificate, int64_t *seconds) {
    return COpenSSL_seconds(X509_get0_notBefore(certificate), seconds);
}
static inline int COpenSSL_notAfter(X509 *certificate, int64_t *seconds) {
    return COpenSSL_seconds(X509_get0_notAfter(certificate), seconds);
}

static inline int COpenSSL_setValidity(X509 *certificate, int64_t notBefore, int64_t notAfter) {
    ASN1_TIME *from = ASN1_TIME_set(NULL, (time_t)notBefore);
    ASN1_TIME *until = ASN1_TIME_set(NULL, (time_t)notAfter);
    int done = from != NULL && until != NULL && X509_set1_notBefore(certificate, from)
        && X509_set1_notAfter(certificate, until);
    ASN1_TIME_free(from);
    ASN1_TIME_free(until);
    return done;
}

// The first entry of this kind in the subject as UTF-8, freed with COpenSSL_free; NULL when there is none.
static inline unsigned char *COpenSSL_subjectEntry(X509 *certificate, int nid, int *count) {
    const X509_NAME *subject = X509_get_subject_name(certificate);
    int index = X509_NAME_get_index_by_NID(subject, nid, -1);
    unsigned char *text = NULL;
    if (index < 0) { return NULL; }
    *count = ASN1_STRING_to_UTF8(&text, X509_NAME_ENTRY_get_data(X509_NAME_get_entry(subject, index)));
    return *count < 0 ? NULL : text;
}

static inline int COpenSSL_addSubjectEntry(X509_NAME *subject, int nid, const char *text) {
    return X509_NAME_add_entry_by_NID(subject, nid, MBSTRING_UTF8, (const unsigned char *)text, -1, -1, 0);
}

// Upper-case hexadecimal digits, freed with COpenSSL_free.
static inline char *COpenSSL_serial(X509 *certificate) {
    BIGNUM *number = ASN1_INTEGER_to_BN(X509_get0_serialNumber(certificate), NULL);
    char *text = number == NULL ? NULL : BN_bn2hex(number);
    BN_free(number);
    return text;
}

static inline int COpenSSL_setRandomSerial(X509 *certificate) {
    BIGNUM *number = BN_new();
    int done = number != NULL && BN_rand(number, 127, BN_RAND_TOP_ONE, BN_RAND_BOTTOM_ANY)
        && BN_to_ASN1_INTEGER(number, X509_get_serialNumber(certificate)) != NULL;
    BN_free(number);
    return done;
}

static inline int COpenSSL_extensionOID(X509 *certificate, int index, char *text, int size) {
    return OBJ_obj2txt(text, size, X509_EXTENSION_get_object(X509_get_ext(certificate, index)), 1);
}

static inline const unsigned char *COpenSSL_extensionValue(X509 *certificate, int index, int *count) {
    const ASN1_OCTET_STRING *value = X509_EXTENSION_get_data(X509_get_ext(certificate, index));
    *count = ASN1_STRING_length(value);
    return ASN1_STRING_get0_data(value);
}

// Adds an extension in OpenSSL's configuration form; the key identifiers are those of `issuer` and `certificate`.
static inline int COpenSSL_addExtension(X509 *certificate, X509 *issuer, int nid, const char *value) {
    X509V3_CTX context;
    X509_EXTENSION *extension;
    int done;
    X509V3_set_ctx(&context, issuer, certificate, NULL, NULL, 0);
    context.db = NULL;
    extension = X509V3_EXT_conf_nid(NULL, &context, nid, value);
    done = extension != NULL && X509_add_ext(certificate, extension, -1);
    X509_EXTENSION_free(extension);
    return done;
}

// Adds a non-critical extension with these bytes as its value.
static inline int COpenSSL_addRawExtension(
    X509 *certificate, const char *oid, const unsigned char *bytes, int count) {
    ASN1_OBJECT *object = OBJ_txt2obj(oid, 1);
    ASN1_OCTET_STRING *value = ASN1_OCTET_STRING_new();
    X509_EXTENSION *extension = NULL;
    int done = object != NULL && value != NULL && ASN1_OCTET_STRING_set(value, bytes, count)
        && (extension = X509_EXTENSION_create_by_OBJ(NULL, object, 0, value)) != NULL
        && X509_add_ext(certificate, extension, -1);
    X509_EXTENSION_free(extension);
    ASN1_OCTET_STRING_free(value);
    ASN1_OBJECT_free(object);
    return done;
}

static inline GENERAL_NAMES *COpenSSL_alternativeNames(X509 *certificate) {
    return (GENERAL_NAMES *)X509_get_ext_d2i(certificate, NID_subject_alt_name, NULL, NULL);
}
static inline int COpenSSL_nameCount(const GENERAL_NAMES *names) { return sk_GENERAL_NAME_num(names); }
static inline void COpenSSL_freeNames(GENERAL_NAMES *names) { GENERAL_NAMES_free(names); }

// A DNS name as it stands or an address as text; the number of bytes, or -1 for names of other kinds and longer ones.
static inline int COpenSSL_nameText(const GENERAL_NAMES *names, int index, char *text, int size) {
    int kind = 0;
    const ASN1_STRING *value =
        (const ASN1_STRING *)GENERAL_NAME_get0_value(sk_GENERAL_NAME_value(names, index), &kind);
    int count;
    if (value == NULL || (kind != GEN_DNS && kind != GEN_IPADD)) { return -1; }
    count = ASN1_STRING_length(value);
    if (kind == GEN_IPADD) {
        if (count != 4 && count != 16) { return -1; }
        return inet_ntop(count == 4 ? AF_INET : AF_INET6, ASN1_STRING_get0_data(value), text, (socklen_t)size) == NULL
            ? -1
            : (int)strlen(text);
    }
    if (count > size) { return -1; }
    memcpy(text, ASN1_STRING_get0_data(value), (size_t)count);
    return count;
}
// --- end of TLSSession

// --- ProviderToken
#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/x509.h>

// `EVP_EC_gen` is a macro for a variadic function.
static inline EVP_PKEY *COpenSSL_generate_p256(void) { return EVP_EC_gen("P-256"); }
// --- end of ProviderToken

// --- NoticeEncryption
#include <openssl/rand.h>
#include <openssl/rsa.h>

static inline EVP_PKEY *COpenSSL_generate_rsa(unsigned int bits) { return EVP_RSA_gen(bits); }
// --- end of NoticeEncryption
