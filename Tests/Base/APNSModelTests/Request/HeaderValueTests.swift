import APNSModel
import Testing

struct HeaderValueTests {
    @Test(arguments: ["", "a", "a b", "a\tb", "é", "alert"])
    func `text without control characters is a value`(text: String) {
        #expect(HeaderValue.problem(in: text) == nil)
    }

    @Test(arguments: [
        ("a\r\nb", "has a carriage return"), ("a\n", "has a line feed"), ("\0", "has a control character"),
        ("a\u{7f}", "has a control character"), (" a", "begins or ends with white space"),
        ("a ", "begins or ends with white space"), ("\ta", "begins or ends with white space"),
        (" ", "begins or ends with white space"),
    ])
    func `anything else has a problem`(text: String, problem: String) {
        #expect(HeaderValue.problem(in: text) == problem)
    }
}
