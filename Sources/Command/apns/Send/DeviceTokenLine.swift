import APNSModel

/// One line of a file of device tokens.
enum DeviceTokenLine: Hashable {
    /// Blank, or only a comment.
    case nothing
    case deviceToken(DeviceToken)
    /// A message about a line that is neither.
    case fault(String)

    /// Ignores white space around the device token and everything from a `#` on.
    init(_ bytes: [UInt8]) {
        // Fast path: nearly every line is only a device token.
        if let deviceToken = bytes.withUnsafeBufferPointer({ DeviceToken(utf8: $0) }) {
            self = .deviceToken(deviceToken)
            return
        }
        let text = String(decoding: bytes.prefix { $0 != UInt8(ascii: "#") }, as: UTF8.self)
            .drop { $0.isWhitespace || $0 == "\u{FEFF}" }
        let word = text.lastIndex { !$0.isWhitespace }.map { text[...$0] } ?? ""
        if word.isEmpty {
            self = .nothing
        } else if let deviceToken = DeviceToken(word) {
            self = .deviceToken(deviceToken)
        } else {
            self = .fault(DeviceTokenLine.fault(of: word))
        }
    }

    /// Why `text` is not a device token, and the right form where that is known. Shows no more of it than a log line may
    /// contain.
    static func fault(of text: some StringProtocol) -> String {
        guard let problem = DeviceTokenProblem(text), problem != .empty else { return "the device token is empty" }
        let meant = DeviceTokenProblem.deviceToken(meantBy: text).map { ": \($0.shortened)" } ?? ""
        let sentence = "\(problem.description); \(problem.advice)\(meant)"
        return "the device token \"\(PlainText.safe(DeviceToken.shorten(text)))\" \(PlainText.safe(sentence))"
    }
}
