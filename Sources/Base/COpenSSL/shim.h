#pragma once
// What Swift cannot import from OpenSSL: macros, variadic functions, and what differs between versions. Decisions are in
// Swift.
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

// Macros of OpenSSL as functions and constants of the same names.
static const uint64_t COpenSSL_OP_NO_RENEGOTIATION = SSL_OP_NO_RENEGOTIATION;
static const uint64_t COpenSSL_OP_NO_COMPRESSION = SSL_OP_NO_COMPRESSION;
static const uint64_t COpenSSL_OP_NO_TICKET = SSL_OP_NO_TICKET;

static inline void COpenSSL_CTX_set_session_cache_mode(SSL_CTX *context, long mode) {
    SSL_CTX_set_session_cache_mode(context, mode);
}
static inline void COpenSSL_CTX_set_mode(SSL_CTX *context, long mode) { SSL_CTX_set_mode(context, mode); }
static inline int COpenSSL_CTX_set_min_proto_version(SSL_CTX *context, int version) {
    return (int)SSL_CTX_set_min_proto_version(context, version);
}
static inline int COpenSSL_CTX_set_max_proto_version(SSL_CTX *context, int version) {
    return (int)SSL_CTX_set_max_proto_version(context, version);
}

// OpenSSL calls `choose` with `argument` when a client has sent its hello, with the host it wants or without one, before it
// sends a certificate.
static inline void COpenSSL_onServerName(SSL_CTX *context, int (*choose)(SSL *, int *, void *), void *argument) {
    SSL_CTX_set_tlsext_servername_callback(context, choose);
    SSL_CTX_set_tlsext_servername_arg(context, argument);
}

static inline int COpenSSL_setServerName(SSL *session, const char *name) {
    return (int)SSL_set_tlsext_host_name(session, name);
}

// Whether a read that returned nothing may return something later; if not, the stream has ended.
static inline void COpenSSL_setReadAgain(BIO *bio, int again) {
    BIO_clear_retry_flags(bio);
    if (again) { BIO_set_retry_read(bio); }
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

// The types of times, names and numbers in a certificate are structs in OpenSSL 3 and opaque in later versions, so
// Swift sees none of them.

// Seconds since 1970; 0 when the time cannot be read.
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

// The same of the issuer.
static inline unsigned char *COpenSSL_issuerEntry(X509 *certificate, int nid, int *count) {
    const X509_NAME *issuer = X509_get_issuer_name(certificate);
    int index = X509_NAME_get_index_by_NID(issuer, nid, -1);
    unsigned char *text = NULL;
    if (index < 0) { return NULL; }
    *count = ASN1_STRING_to_UTF8(&text, X509_NAME_ENTRY_get_data(X509_NAME_get_entry(issuer, index)));
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

// Writes a DNS name or the text of an address. Returns the number of bytes, or -1 for another kind of name and for one
// that is longer than `size`.
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
