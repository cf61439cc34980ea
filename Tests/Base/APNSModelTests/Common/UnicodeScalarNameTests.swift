import APNSModel
import Testing

struct UnicodeScalarNameTests {
    @Test(
        arguments: [
            ("a", "\"a\""), ("é", "\"é\""), (" ", "a space"), ("\t", "a tab"), ("\r", "a line break"),
            ("\u{1B}", "U+001B"),
            ("\u{A0}", "U+00A0"), ("\u{202E}", "U+202E"), ("\u{E0001}", "U+E0001"),
        ] as [(Unicode.Scalar, String)])
    func `a character in a message is readable`(scalar: Unicode.Scalar, name: String) { #expect(scalar.named == name) }
}
