package import ProviderToken

/// Whether a provider token of an earlier run is sent again. APNs takes a new token of a key every 20 minutes at most, so a
/// run that is repeated must not sign another one.
package enum KeptToken {
    /// How long a token is used again, in seconds.
    package static let useTime: Int64 = 20 * 60

    /// The age of a kept token in seconds; nil where a new one is to be signed.
    ///
    /// - Parameters:
    ///   - text: What is on disk, without `bearer`.
    ///   - now: Seconds since 1970-01-01 UTC.
    package static func age(
        _ text: [UInt8], keyID: KeyID, teamID: TeamID, key: VerifyingKey, now: Int64
    ) -> Int64? {
        guard let token = try? ParsedToken(compact: text, strictness: .strict), token.keyID == keyID.value,
            token.teamID == teamID.value, (0..<useTime).contains(now - token.issuedAt), token.isSigned(by: key)
        else { return nil }
        return now - token.issuedAt
    }
}
