import ProviderToken

/// What is wrong with a provider token, as sentences.
struct TokenVerdict: Hashable {
    private(set) var faults: [String] = []
    /// What to say when nothing is wrong.
    private(set) var praise = ""

    /// - Parameters:
    ///   - isStrict: Takes only the form of the standard.
    ///   - now: Seconds since 1970-01-01 UTC.
    init(_ text: String, key: VerifyingKey, isStrict: Bool, now: Int64) {
        let token: ProviderToken
        do throws(ProviderTokenFault) {
            token = try ProviderToken(compact: Array(text.utf8), strictness: isStrict ? .strict : .lenient)
        } catch {
            faults = ["\(error)"]
            return
        }
        if KeyID(token.keyID) == nil { faults.append(TokenVerdict.badID("kid", token.keyID)) }
        if TeamID(token.teamID) == nil { faults.append(TokenVerdict.badID("iss", token.teamID)) }
        let age = TokenParts.age(of: token.issuedAt, at: now)
        let (seconds, overflow) = now.subtractingReportingOverflow(token.issuedAt)
        if overflow || !(-TokenParts.lifetime...TokenParts.lifetime).contains(seconds) {
            faults.append("the provider token was signed \(UTCText.text(token.issuedAt)), \(age)")
        }
        if !token.isSigned(by: key) {
            faults.append("the signature is not of this key; check that key and key id belong together")
        }
        praise =
            "good: key \(PlainText.safe(token.keyID)), team \(PlainText.safe(token.teamID)), signed "
            + "\(UTCText.text(token.issuedAt)), \(age)"
    }

    private static func badID(_ name: String, _ value: String) -> String {
        "\(name) is \"\(PlainText.safe(value.prefix(40)))\"; it must be 10 characters of 0-9 and A-Z"
    }
}
