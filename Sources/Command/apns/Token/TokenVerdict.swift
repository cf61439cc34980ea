import APNSModel
import ProviderToken

/// Whether a provider token is valid, in sentences.
struct TokenVerdict: Hashable {
    private(set) var problems: [String] = []
    /// The sentence about a valid provider token.
    private(set) var summary = ""

    /// The key that should have signed the provider token, and the ids that belong to it where they are known.
    struct Signer {
        var key: VerifyingKey
        var keyID: String?
        var teamID: String?
    }

    /// - Parameters:
    ///   - isStrict: Whether only the form of the standard is accepted.
    ///   - now: Seconds since 1970-01-01 UTC.
    init(_ text: String, signer: Signer, isStrict: Bool, now: Int64) {
        let token: ParsedToken
        do throws(ProviderTokenError) {
            token = try ParsedToken(compact: Array(text.utf8), strictness: isStrict ? .strict : .lenient)
        } catch {
            problems = ["\(error)"]
            return
        }
        if KeyID(token.keyID) == nil {
            problems.append(TokenVerdict.badID("kid", token.keyID))
        } else if let keyID = signer.keyID, keyID != token.keyID {
            problems.append("kid is \(token.keyID), and the id of the key is \(PlainText.safe(keyID))")
        }
        if TeamID(token.teamID) == nil {
            problems.append(TokenVerdict.badID("iss", token.teamID))
        } else if let teamID = signer.teamID, teamID != token.teamID {
            problems.append("iss is \(token.teamID), and the team of the key is \(PlainText.safe(teamID))")
        }
        let age = TokenParts.age(of: token.issuedAt, at: now)
        let (seconds, overflow) = now.subtractingReportingOverflow(token.issuedAt)
        if overflow || !(-TokenParts.lifetime...TokenParts.lifetime).contains(seconds) {
            problems.append(
                TokenVerdict.unit(of: token.issuedAt).map {
                    "iat is \(token.issuedAt), which looks like \($0); it must be in seconds, as "
                        + "\(token.issuedAt / $1)"
                } ?? "the provider token was signed \(UTCText.text(token.issuedAt)), \(age)")
        }
        if !token.isSigned(by: signer.key) {
            let (count, right) = (token.signatureByteCount, ParsedToken.signatureByteCount)
            // A signature in DER, which is accepted too, has 70 bytes or a few more or less.
            problems.append(
                (66...72).contains(count) || count == right
                    ? "the signature was not made by this key; check that key and key id belong together"
                    : "the signature has \(count) bytes instead of \(right); the provider token was cut off or changed")
        }
        summary =
            "valid: key \(PlainText.safe(token.keyID)), team \(PlainText.safe(token.teamID)), signed "
            + "\(UTCText.text(token.issuedAt)), \(age)"
    }

    /// Why `text` does not have the parts of a provider token; nil where it has them.
    static func problemOfForm(_ text: String) -> String? {
        do throws(TokenParts.Fault) {
            _ = try TokenParts(text)
            return nil
        } catch {
            return "this is not a provider token: \(error)"
        }
    }

    /// The unit of a time that is too large for seconds, and how many of them are a second; nil where it is one in seconds.
    /// The first number of 12 digits is the year 5138 in seconds, and 1973 in milliseconds.
    static func unit(of time: Int64) -> (String, Int64)? {
        switch time {
        case 100_000_000_000..<100_000_000_000_000: ("milliseconds", 1000)
        case 100_000_000_000_000..<100_000_000_000_000_000: ("microseconds", 1_000_000)
        case 100_000_000_000_000_000...: ("nanoseconds", 1_000_000_000)
        default: nil
        }
    }

    private static func badID(_ name: String, _ value: String) -> String {
        "\(name) is \"\(PlainText.safe(ShownText.cut(value, to: 40)))\"; it must be 10 characters of 0-9 and A-Z"
    }
}
