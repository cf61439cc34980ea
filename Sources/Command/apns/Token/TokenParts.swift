import APNSModel
import PayloadJSON
import ProviderToken

/// The header and the claims of a JWT, unverified.
struct TokenParts: Hashable {
    /// The JSON text of the header.
    let header: String
    /// The JSON text of the claims.
    let claims: String
    let signatureByteCount: Int
    let keyID: String?
    let teamID: String?
    /// `iat`, in whole seconds since 1970-01-01 UTC, without its fraction; nil where it is absent or not a number.
    let issuedAt: Int64?

    enum Fault: Error, Hashable, CustomStringConvertible {
        case notThreeParts(Int)
        case notBase64(String)
        case notObject(String)

        var description: String {
            switch self {
            case .notThreeParts(let count):
                "it has \(count) \(count == 1 ? "part" : "parts"); a JWT has three, separated by dots"
            case .notBase64(let part): "its \(part) \(Fault.verb(part)) not base64url"
            case .notObject(let part): "its \(part) \(Fault.verb(part)) not a JSON object"
            }
        }

        private static func verb(_ part: String) -> String { part == "claims" ? "are" : "is" }
    }

    /// How long APNs accepts a provider token, in seconds (docs/reference/apns.md 4.1).
    static let lifetime: Int64 = 3600

    init(_ text: String) throws(Fault) {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3 else { throw .notThreeParts(parts.count) }
        let (header, headerText) = try TokenParts.object(parts[0], "header")
        let (claims, claimsText) = try TokenParts.object(parts[1], "claims")
        guard let signature = TokenParts.decode(parts[2]) else { throw .notBase64("signature") }
        self.header = headerText
        self.claims = claimsText
        signatureByteCount = signature.count
        keyID = header.member("kid", of: .root).flatMap { header.string(of: $0) }
        teamID = claims.member("iss", of: .root).flatMap { claims.string(of: $0) }
        issuedAt = claims.member("iat", of: .root).flatMap {
            try? NumericDate.seconds(of: $0, in: claims, acceptsStrings: true)
        }
    }

    private static func object(_ text: Substring.UTF8View, _ part: String) throws(Fault) -> (JSONDocument, String) {
        guard let bytes = decode(text) else { throw .notBase64(part) }
        var reader = JSONReader()
        guard (try? reader.parse(bytes)) != nil, reader.document.kind(of: .root) == .object else {
            throw .notObject(part)
        }
        return (reader.document, String(decoding: bytes, as: UTF8.self))
    }

    /// Accepts both alphabets, with any number of padding characters, because provider tokens in use have any of them.
    private static func decode(_ text: Substring.UTF8View) -> [UInt8]? {
        try? Base64.decode(text.reversed().drop { $0 == UInt8(ascii: "=") }.reversed(), as: .lenient)
    }
}

extension TokenParts {
    /// The content for people.
    ///
    /// - Parameter now: Seconds since 1970-01-01 UTC.
    func text(at now: Int64) -> String {
        """
        header     \(PlainText.safe(header))
        claims     \(PlainText.safe(claims))
        key id     \(keyID.map { PlainText.safe($0) } ?? "absent")
        team id    \(teamID.map { PlainText.safe($0) } ?? "absent")
        issued     \(issuedAt.map { "\(UTCText.text($0)), \(TokenParts.age(of: $0, at: now))" } ?? "absent, or not a number")
        signature  \(signatureForm), not checked

        """
    }

    func json(at now: Int64) -> String {
        let age = issuedAt.flatMap { issuedAt in
            let (age, overflow) = now.subtractingReportingOverflow(issuedAt)
            return overflow ? nil : "\(age)"
        }
        return """
            {"header":\(oneLine(header)),"claims":\(oneLine(claims)),"key-id":\(quoted(keyID)),"team-id":\(quoted(teamID)),\
            "issued-at":\(issuedAt.map { "\($0)" } ?? "null"),"age-seconds":\(age ?? "null"),\
            "signature-bytes":\(signatureByteCount)}
            """
    }

    private var signatureForm: String {
        switch signatureByteCount {
        case 0: "absent"
        case 64: "64 bytes, the length of the raw form"
        default: "\(signatureByteCount) bytes"
        }
    }

    /// How old a provider token is, and whether APNs accepts that.
    static func age(of issuedAt: Int64, at now: Int64) -> String {
        let (age, overflow) = now.subtractingReportingOverflow(issuedAt)
        guard !overflow, age != .min else { return "an age out of range" }
        if age > lifetime { return "\(Period.text(age)) ago: expired, APNs accepts 60 minutes" }
        if age < -lifetime, let (unit, _) = TokenVerdict.unit(of: issuedAt) {
            return "far ahead of this machine's clock; the number looks like \(unit), and iat is in seconds"
        }
        if age < -lifetime {
            return "\(Period.text(age)) ahead of this machine's clock: too far, check the clocks"
        }
        if age < 0 { return "\(Period.text(age)) ahead of this machine's clock" }
        return "\(Period.text(age)) ago, valid for \(Period.text(lifetime - age)) more"
    }

    private func quoted(_ text: String?) -> String { text.map { JSONWriter.quoted($0) } ?? "null" }

    /// Valid JSON has line breaks only as white space between values, so each can become a space.
    private func oneLine(_ json: String) -> String {
        String(String.UnicodeScalarView(json.unicodeScalars.map { $0 == "\n" || $0 == "\r" ? " " : $0 }))
    }
}
