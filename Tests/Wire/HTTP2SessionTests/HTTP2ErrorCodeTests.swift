import HTTP2Session
import Testing

struct HTTP2ErrorCodeTests {
    @Test func `a known code is shown by its name, an unknown one by its number`() {
        #expect("\(HTTP2ErrorCode.noError)" == "NO_ERROR")
        #expect("\(HTTP2ErrorCode.refusedStream)" == "REFUSED_STREAM")
        #expect("\(HTTP2ErrorCode.http11Required)" == "HTTP_1_1_REQUIRED")
        #expect("\(HTTP2ErrorCode(rawValue: 14))" == "error code 14")
        #expect("\(HTTP2ErrorCode(rawValue: .max))" == "error code 4294967295")
    }
}
