#pragma once
#include <nghttp2/nghttp2.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// What differs between nghttp2 1.52 and the newest version, and what Swift cannot import. Version 1.60 replaced each function
// with ssize_t by one with a 2 at the end of its name, and a build may leave the old ones out.
#if NGHTTP2_VERSION_NUM >= 0x013c00
#define CNGHTTP2_HAS_SECOND_FORMS 1
#else
#define CNGHTTP2_HAS_SECOND_FORMS 0
#endif

// nghttp2 1.57 added a limit for resets and 1.61 one for CONTINUATION frames, and distributions added both to older versions.
// A weak symbol finds out whether the function exists.
extern void nghttp2_option_set_stream_reset_rate_limit(nghttp2_option *option, uint64_t burst, uint64_t rate)
    __attribute__((weak));
extern void nghttp2_option_set_max_continuations(nghttp2_option *option, size_t count) __attribute__((weak));

/// Leaves counting resets and CONTINUATION frames to the caller. nghttp2 counts each piece of a CONTINUATION frame's header as
/// a frame, so it would end a connection whose bytes come one by one.
static inline void CNghttp2_leave_floods_to_caller(nghttp2_option *option) {
    if (nghttp2_option_set_stream_reset_rate_limit) {
        nghttp2_option_set_stream_reset_rate_limit(option, UINT32_MAX, UINT32_MAX);
    }
    if (nghttp2_option_set_max_continuations) { nghttp2_option_set_max_continuations(option, UINT32_MAX); }
}

/// Writes the next bytes of a body into `bytes`. Returns their number, or a negative error.
typedef ptrdiff_t (*CNghttp2_read_body)(nghttp2_session *session, int32_t stream_id, uint8_t *bytes, size_t capacity,
                                        uint32_t *flags, nghttp2_data_source *source, void *context);

static inline ptrdiff_t CNghttp2_receive(nghttp2_session *session, const uint8_t *bytes, size_t count) {
#if CNGHTTP2_HAS_SECOND_FORMS
    return nghttp2_session_mem_recv2(session, bytes, count);
#else
    return nghttp2_session_mem_recv(session, bytes, count);
#endif
}

static inline ptrdiff_t CNghttp2_send(nghttp2_session *session, const uint8_t **bytes) {
#if CNGHTTP2_HAS_SECOND_FORMS
    return nghttp2_session_mem_send2(session, bytes);
#else
    return nghttp2_session_mem_send(session, bytes);
#endif
}

/// Submits a request without header fields; the caller adds them to the HEADERS frame before it is sent. `slot` is passed to
/// the body callback and is the stream's user data. `read` is NULL for no body.
static inline int32_t CNghttp2_submit_request(nghttp2_session *session, CNghttp2_read_body read, intptr_t slot) {
#if CNGHTTP2_HAS_SECOND_FORMS
    nghttp2_data_provider2 body = {.source = {.ptr = (void *)slot}, .read_callback = read};
    return nghttp2_submit_request2(session, NULL, NULL, 0, read ? &body : NULL, (void *)slot);
#else
    nghttp2_data_provider body = {.source = {.ptr = (void *)slot}, .read_callback = read};
    return nghttp2_submit_request(session, NULL, NULL, 0, read ? &body : NULL, (void *)slot);
#endif
}

/// Submits a response without header fields; `read` is NULL for one without a body.
static inline int CNghttp2_submit_response(nghttp2_session *session, int32_t stream_id, CNghttp2_read_body read,
                                           intptr_t slot) {
#if CNGHTTP2_HAS_SECOND_FORMS
    nghttp2_data_provider2 body = {.source = {.ptr = (void *)slot}, .read_callback = read};
    return nghttp2_submit_response2(session, stream_id, NULL, 0, read ? &body : NULL);
#else
    nghttp2_data_provider body = {.source = {.ptr = (void *)slot}, .read_callback = read};
    return nghttp2_submit_response(session, stream_id, NULL, 0, read ? &body : NULL);
#endif
}

static inline intptr_t CNghttp2_slot_of_source(const nghttp2_data_source *source) { return (intptr_t)source->ptr; }

static inline intptr_t CNghttp2_slot(nghttp2_session *session, int32_t stream_id) {
    return (intptr_t)nghttp2_session_get_stream_user_data(session, stream_id);
}

static inline int CNghttp2_set_slot(nghttp2_session *session, int32_t stream_id, intptr_t slot) {
    return nghttp2_session_set_stream_user_data(session, stream_id, (void *)slot);
}

/// Decodes one field of HPACK that refers to no dynamic table, and copies its value to `value`. Returns the value's length; -1 for
/// malformed bytes, and where the value does not fit.
static inline ptrdiff_t CNghttp2_decode_field(const uint8_t *bytes, size_t count, uint8_t *value, size_t capacity) {
    nghttp2_hd_inflater *inflater;
    if (nghttp2_hd_inflate_new(&inflater) != 0) { return -1; }
    nghttp2_nv field;
    int flags = 0;
#if CNGHTTP2_HAS_SECOND_FORMS
    nghttp2_ssize read = nghttp2_hd_inflate_hd3(inflater, &field, &flags, bytes, count, 1);
#else
    ssize_t read = nghttp2_hd_inflate_hd2(inflater, &field, &flags, bytes, count, 1);
#endif
    ptrdiff_t length = -1;
    if (read == (ptrdiff_t)count && (flags & NGHTTP2_HD_INFLATE_EMIT) && field.valuelen <= capacity) {
        memcpy(value, field.value, field.valuelen);
        length = (ptrdiff_t)field.valuelen;
    }
    nghttp2_hd_inflate_del(inflater);
    return length;
}

// nghttp2_frame is a union. Swift would copy all of it to read one member; these functions do not.
static inline const nghttp2_frame_hd *CNghttp2_frame_header(const nghttp2_frame *frame) { return &frame->hd; }
static inline const nghttp2_goaway *CNghttp2_goaway(const nghttp2_frame *frame) { return &frame->goaway; }
static inline const nghttp2_settings *CNghttp2_settings(const nghttp2_frame *frame) { return &frame->settings; }
static inline const uint8_t *CNghttp2_ping_payload(const nghttp2_frame *frame) { return frame->ping.opaque_data; }
static inline int CNghttp2_headers_category(const nghttp2_frame *frame) { return (int)frame->headers.cat; }
