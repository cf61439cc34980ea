/// A file with the control token, as secrets are mounted into containers.
package enum ControlTokenFile {
    package struct Failure: Error, Hashable, CustomStringConvertible {
        package let description: String
    }

    /// More than any token needs.
    package static let maximumBytes = 4096

    private static let byteOrderMark: [UInt8] = [0xef, 0xbb, 0xbf]

    /// The first line, without white space at its ends and without the byte order mark that some editors begin a file with.
    package static func token(in bytes: [UInt8]) throws(Failure) -> String {
        let content = bytes.dropFirst(bytes.starts(with: byteOrderMark) ? byteOrderMark.count : 0)
        let line = content.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        guard let text = String(validating: line, as: UTF8.self) else {
            throw Failure(description: "the control token is not text in UTF-8")
        }
        var token = text[...]
        while token.first?.isWhitespace == true { token.removeFirst() }
        while token.last?.isWhitespace == true { token.removeLast() }
        if let problem = GatewayConfiguration.problem(ofControlToken: String(token)) {
            throw Failure(
                description: "the control token in its first line \(problem); one that cannot be guessed is expected")
        }
        return String(token)
    }
}
