import ProviderToken

/// Whether a provider token is valid, in sentences.
struct TokenVerdict: Hashable {
    private(set) var problems: [String] = []
    /// The sentence about a valid provider token.
    private(set) var summary = ""

    /// - Parameters:
    ///   - isStrict: Whether only the form of the standard is accepted.
    ///   - now: Seconds since 1970-01-01 UTC.
    init(_ text: String, key: VerifyingKey, isStrict: Bool, now: Int64) {
        let token: ParsedToken
        do throws(ProviderTokenError) {
            token = try ParsedToken(compact: Array(text.utf8), strictness: isStrict ? .strict : .lenient)
        } catch {
            problems = ["\(error)"]
            return
        }
        if KeyID(token.keyID) == nil { problems.append(TokenVerdict.badID("kid", token.keyID)) }
        if TeamID(token.teamID) == nil { problems.append(TokenVerdict.badID("iss", token.teamID)) }
        let age = TokenParts.age(of: token.issuedAt, at: now)
        let (seconds, overflow) = now.subtractingReportingOverflow(token.issuedAt)
        if overflow || !(-TokenParts.lifetime...TokenParts.lifetime).contains(seconds) {
            problems.append("the provider token was signed \(UTCText.text(token.issuedAt)), \(age)")
        }
        if !token.isSigned(by: key) {
            problems.append("the signature was not made by this key; check that key and key id belong together")
        }
        summary =
            "valid: key \(PlainText.safe(token.keyID)), team \(PlainText.safe(token.teamID)), signed "
            + "\(UTCText.text(token.issuedAt)), \(age)"
    }

    private static func badID(_ name: String, _ value: String) -> String {
        "\(name) is \"\(PlainText.safe(value.prefix(40)))\"; it must be 10 characters of 0-9 and A-Z"
    }
}
