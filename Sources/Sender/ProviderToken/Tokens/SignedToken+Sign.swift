extension SignedToken {
    /// Makes a token in the strict form: base64url without padding, raw signature, `iat` as a whole number.
    ///
    /// - Parameter issuedAt: Seconds since 1970-01-01 UTC. APNs accepts a token for an hour after that.
    package init(
        keyID: KeyID, teamID: TeamID, issuedAt: Int64, key: SigningKey, keyNumber: Int = 0
    ) throws(KeyError) {
        // Neither id can hold a character that JSON has to escape.
        let header = #"{"alg":"ES256","kid":"\#(keyID.value)"}"#
        let claims = #"{"iss":"\#(teamID.value)","iat":\#(issuedAt)}"#
        var text = Base64.encodeURL(Array(header.utf8))
        text.append(UInt8(ascii: "."))
        text += Base64.encodeURL(Array(claims.utf8))
        let signature = try key.signature(for: text)
        text.append(UInt8(ascii: "."))
        text += Base64.encodeURL(signature)
        self.init(String(decoding: text, as: UTF8.self), keyNumber: keyNumber)
    }
}
