import APNSModel
import GatewayJSON

/// A request to the control API. Its body is read after its head was let in.
struct ControlRequest: Sendable {
    var method: String
    /// Without the query.
    var path: String
    /// Percent-encoded, without the question mark.
    var query = ""
    /// The parameters of the query by name, once its operation is known.
    var parameters: [String: String] = [:]
    var host: String?
    /// Whether it has more than one `Host` header.
    var repeatsHost = false
    var origin: String?
    /// `Sec-Fetch-Site`: how the web page that sent the request relates to the control port; nil for no browser.
    var fetchSite: String?
    /// A secret; it must not appear in a message.
    var authorization: String?
    var lastEventID: String?
    var body: [UInt8] = []

    /// Reads the query.
    ///
    /// - Parameter names: All parameters that the operation accepts; others are refused, so that a misspelt filter is not
    ///   ignored.
    func readParameters(_ names: [String]) throws(Problem) -> [String: String] {
        var parameters: [String: String] = [:]
        for pair in query.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = ControlRequest.decoded(parts[0]),
                let value = ControlRequest.decoded(parts.dropFirst().first ?? "")
            else { throw .badRequest("the query has a % that is not followed by two hexadecimal digits of UTF-8") }
            guard names.contains(name) else {
                let known = names.isEmpty ? "this path takes none" : "known are \(names.joined(separator: ", "))"
                throw .badParameter(name, "is not known here; \(known)")
            }
            guard parameters.updateValue(value, forKey: name) == nil else {
                throw .badParameter(name, "appears twice; send it once")
            }
        }
        return parameters
    }

    private static func decoded(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                guard let high = rest.popFirst(), let low = rest.popFirst(), high.isHexDigit, low.isHexDigit,
                    let value = UInt8(String(decoding: [high, low], as: UTF8.self), radix: 16)
                else { return nil }
                bytes.append(value)
            default: bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
