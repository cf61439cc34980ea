extension DoctorCheck {
    static let providerToken = DoctorCheck(
        id: "provider-token", layer: .key,
        summary: "A provider token can be signed, and its signature is right.",
        cause: "The configuration of OpenSSL (openssl.cnf, FIPS mode) forbids P-256 or SHA-256.",
        next: "check the configuration of OpenSSL on this machine",
        subject: \.providerToken
    ) { token in
        if let failure = token.failure { return .fail(failure) }
        guard token.isSound else {
            return .fail("the key's public half does not accept the signature of the provider token")
        }
        if let reason = token.notKept {
            return .warn(
                "a provider token was signed, and could not be kept for the next run: \(reason)",
                next: "wait 20 minutes before the next run: APNs refuses provider tokens that change more often")
        }
        if let how = token.exposed {
            return .pass(
                "a provider token was signed, because the one of an earlier run was not private: \(how). It was replaced, and the "
                    + "new one is kept for 20 minutes in a private file")
        }
        return .pass(
            token.isKept
                ? "the provider token of \(token.age) s ago is used again; APNs takes a new one every 20 minutes at most"
                : "a provider token was signed; it is kept for 20 minutes in a private file")
    }
}
