import Testing

@testable import APNSModel

struct DeviceTokenProblemTests {
    private static let hex = "740f4707bebcf74f9b7c25d48e3358945f6aa01da5ddb387462c7eaf61bb78ad"

    private static let decimal =
        "116, 15, 71, 7, 190, 188, 247, 79, 155, 124, 37, 212, 142, 51, 88, 148, 95, 106, 160, 29, 165, 221, 179, 135, 70, "
        + "44, 126, 175, 97, 187, 120, 173"
    private static let decimalWithoutCommas = decimal.filter { $0 != "," }
    private static let decimalWithoutSpaces = decimal.filter { $0 != " " }

    @Test(arguments: [
        ("", DeviceTokenProblem.empty), (" ", .whiteSpace),
        ("<740f4707 bebcf74f 9b7c25d4 8e335894 5f6aa01d a5ddb387 462c7eaf 61bb78ad>", .dataDescription),
        (" <740f4707 bebcf74f …>\n", .dataDescription), ("<740f4707 bebcf74f ...>", .dataDescription),
        ("<device-token>", .character("<", at: 1)), ("<>", .character("<", at: 1)),
        ("{length = 32, bytes = 0x740f4707 bebcf74f 9b7c25d4 8e335894 ... 462c7eaf 61bb78ad }", .dataSummary),
        ("{length=32,bytes=0x740f4707bebcf74f9b7c25d48e335894...462c7eaf61bb78ad}", .dataSummary),
        ("{length = 4, bytes = 0x740f4707}", .dataDescription), ("{length = 8, bytes = 0x740f4707}", .dataSummary),
        ("{length = 99999999999999999999, bytes = 0x74}", .dataSummary), ("{length = , bytes = 0x}", .dataSummary),
        ("[116, 15, 71, 7]", .byteList(4)), ("[116 15]\n", .byteList(2)), ("[256, 1]", .whiteSpace),
        (decimal, .byteList(32)), (decimalWithoutCommas, .byteList(32)), ("11,22,33", .separated),
        ("740f…78ad", .shortened), ("740f4707...", .shortened), ("740f..78ad", .character(".", at: 5)),
        ("[]", .character("[", at: 1)), ("[116, …]", .whiteSpace),
        ("Optional(\"\(hex)\")", .optional), ("Optional(<740f4707 bebcf74f>)", .optional),
        ("Optional(32 bytes)", .dataSummary), ("Optional(\"APA91bHPRgkF3JUikC4ENAHE\")", .firebase),
        ("Optional(nil)", .optional), ("Optional(", .character("O", at: 1)),
        ("32 bytes", .dataSummary), ("{}", .character("{", at: 1)),
        ("dB6Q1b7nTkuQh0z2yXk5Pq:APA91bHPRgkF3JUikC4ENAHEeMrd41Zxv3hVZjC9KtT8OvPVGJ-hQMRKRrZuJAEcl7B", .firebase),
        ("APA91bHPRgkF3JUikC4ENAHEeMrd41Zxv3hVZjC9KtT8OvPVGJ", .firebase),
        ("ExponentPushToken[xxxxxxxxxxxxxxxxxxxxxx]", .expo),
        ("E621E1F8-C36C-495A-93FC-0C247A3E6E5F", .uuid),
        ("\"\(hex)\"", .quoted), ("“\(hex)”", .quoted),
        ("740f4707 bebcf74f", .whiteSpace), ("740f4707\n", .whiteSpace), ("740f\u{A0}4707", .whiteSpace),
        ("74:0f:47:07", .separated), ("740f4707-bebcf74f", .separated),
        ("0x740f4707", .prefix), ("0X740F4707", .prefix),
        ("dA9HB76890+bfCXUjjNYlF9qoB2l3bOHRix+r2G7eK0=", .base64(32)),
        ("dA9HB76890-bfCXUjjNYlF9qoB2l3bOHRix-r2G7eK0", .base64(32)),
        ("740f4", .oddDigits(5)),
        ("\(hex) \(hex)", .several(2)), ("\(hex),\(hex)", .several(2)), ("0x\(hex)\n0x\(hex)\n", .several(2)),
        ("\"\(hex)\":\(hex);<\(hex)>", .several(3)), ("\(hex) \(hex) 740f", .whiteSpace),
        (Array(repeating: hex, count: 40).joined(separator: "\n"), .several(40)),
        // Mistyped: these are 64 characters of base64 as well.
        ("740g4707bebcf74f9b7c25d48e3358945f6aa01da5ddb387462c7eaf61bb78ad", .character("g", at: 4)),
        ("740f4707bebcf74f9b7c25d48e3358945f6aa01da5ddb387462c7eaf61bb78aO", .character("O", at: 64)),
        ("DEVICE-TOKEN", .character("V", at: 3)), ("00é0", .character("é", at: 3)),
        ("ab\u{202E}cd", .character("\u{202E}", at: 3)),
        ("YWJj", .character("Y", at: 1)),  // as base64 it is too short
        (String(repeating: "<", count: 2000), .character("<", at: 1)),
    ])
    func `a wrong text is recognised as what it is`(text: String, problem: DeviceTokenProblem) {
        #expect(DeviceTokenProblem(text) == problem)
        #expect(DeviceTokenProblem(Substring(text)) == problem)
        #expect(DeviceToken(text) == nil)
    }

    @Test(arguments: [
        hex, hex.uppercased(), "<740f4707 bebcf74f 9b7c25d4 8e335894 5f6aa01d a5ddb387 462c7eaf 61bb78ad>",
        " \"\(hex)\"\n", "“\(hex)”", "0x\(hex)", "\(hex)\n",
        "dA9HB76890+bfCXUjjNYlF9qoB2l3bOHRix+r2G7eK0=", "dA9HB76890-bfCXUjjNYlF9qoB2l3bOHRix-r2G7eK0",
        "740f4707-bebcf74f-9b7c25d4-8e335894-5f6aa01d-a5ddb387-462c7eaf-61bb78ad",
        "{length = 32, bytes = 0x740f4707 bebcf74f 9b7c25d4 8e335894 5f6aa01d a5ddb387 462c7eaf 61bb78ad}",
        "{length=32,bytes=0x\(hex)}", "Optional(\"\(hex)\")", "Optional(Optional(\(hex)))\n",
        "Optional(<740f4707 bebcf74f 9b7c25d4 8e335894 5f6aa01d a5ddb387 462c7eaf 61bb78ad>)",
        "[\(decimal)]", decimal, decimalWithoutSpaces, decimalWithoutCommas,
    ])
    func `the digits of another form are found`(text: String) {
        let token = DeviceTokenProblem.deviceToken(meantBy: text)
        #expect(token?.hex == Self.hex)
    }

    @Test(arguments: [
        "", "{length = 32, bytes = 0x740f4707 ... 61bb78ad }", "{length = 32, bytes = 0x740f4707}", "Optional(nil)",
        "Optional(32 bytes)", "[116, 1500]", "32 bytes", "a:APA91bHPRgkF3JUikC4E", "740f4",
        "E621E1F8-C36C-495A-93FC-0C247A3E6E5F", "<740f4707 …>", "no token", "740f…78ad",
        "740g4707bebcf74f9b7c25d48e3358945f6aa01da5ddb387462c7eaf61bb78ad", "\(hex) \(hex)", "\(hex),\(hex)",
        "Optional(\"\(hex) \(hex)\")",
    ])
    func `a text without all digits stands for no device token`(text: String) {
        #expect(DeviceTokenProblem.deviceToken(meantBy: text) == nil)
    }

    @Test func `a text is base64 from a quarter of other characters than digits on`() {
        let z = { String(repeating: "z", count: $0) }
        #expect(DeviceTokenProblem(Self.hex.prefix(49) + z(15)) == .character("z", at: 50))
        #expect(DeviceTokenProblem(Self.hex.prefix(48) + z(16)) == .base64(48))
    }

    @Test func `each problem is a sentence with the right form`() {
        for problem in [
            DeviceTokenProblem.empty, .dataDescription, .dataSummary, .shortened, .firebase, .expo, .uuid, .quoted,
            .whiteSpace, .separated, .prefix, .base64(32), .byteList(32), .optional, .oddDigits(63), .several(2),
            .character("x", at: 7),
        ] {
            let sentence = "the device token \(problem); \(problem.advice)"
            #expect(
                sentence.contains("digits") || sentence.contains("device token of the system")
                    || sentence.contains("apnsToken"), "\(sentence)")
            #expect(!sentence.hasSuffix("."))
        }
    }
}
