/// A file with the control token, as secrets are mounted into containers.
package enum ControlTokenFile {
    package struct Failure: Error, Hashable, CustomStringConvertible {
        package let description: String
    }

    /// More than any token needs.
    package static let maximumBytes = 4096

    /// The first line, without white space at its ends.
    package static func token(in bytes: [UInt8]) throws(Failure) -> String {
        let line = bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        guard let text = String(validating: line, as: UTF8.self) else {
            throw Failure(description: "the control token is not text in UTF-8")
        }
        var token = text[...]
        while token.first?.isWhitespace == true { token.removeFirst() }
        while token.last?.isWhitespace == true { token.removeLast() }
        guard token.utf8.count >= GatewayConfiguration.minimumControlTokenBytes else {
            throw Failure(
                description: "the control token in its first line is shorter than "
                    + "\(GatewayConfiguration.minimumControlTokenBytes) characters; one that cannot be guessed is expected"
            )
        }
        return String(token)
    }
}
