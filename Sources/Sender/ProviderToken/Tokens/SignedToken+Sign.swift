import APNSModel

extension SignedToken {
    /// Makes a token in the strict form: base64url without padding, raw signature, `iat` as a whole number.
    ///
    /// - Parameter issuedAt: Seconds since 1970-01-01 UTC. APNs accepts a token for an hour after that.
    package init(
        keyID: KeyID, teamID: TeamID, issuedAt: Int64, key: SigningKey, keyNumber: Int = 0
    ) throws(KeyError) {
        let message = SignedToken.message(keyID: keyID, teamID: teamID, issuedAt: issuedAt)
        self.init(message, signature: try key.signature(for: message), keyNumber: keyNumber)
    }

    /// The header and the claims, which are to be signed.
    static func message(keyID: KeyID, teamID: TeamID, issuedAt: Int64) -> [UInt8] {
        // Neither id can hold a character that JSON has to escape.
        let header = #"{"alg":"ES256","kid":"\#(keyID.value)"}"#
        let claims = #"{"iss":"\#(teamID.value)","iat":\#(issuedAt)}"#
        return Base64.encodeURL(Array(header.utf8)) + [UInt8(ascii: ".")] + Base64.encodeURL(Array(claims.utf8))
    }

    /// - Parameter signature: r, then s, 64 bytes.
    init(_ message: [UInt8], signature: [UInt8], keyNumber: Int) {
        let text = message + [UInt8(ascii: ".")] + Base64.encodeURL(signature)
        self.init(String(decoding: text, as: UTF8.self), keyNumber: keyNumber)
    }
}
