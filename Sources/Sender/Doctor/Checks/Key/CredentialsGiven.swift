extension DoctorCheck {
    static let credentialsGiven = DoctorCheck(
        id: "credentials-given", layer: .key,
        summary: "A key or a certificate is given.",
        cause: "The variable or the secret with the path is not set where the server runs.",
        next:
            "give --key AuthKey_KEYID.p8 with --team-id, set APNS_KEY and APNS_TEAM_ID, give --certificate, or choose a "
            + "profile with --profile",
        subject: \.credentials
    ) { given in
        switch given {
        case .key(let source): .pass("the key is taken from \(source)")
        case .certificate(let path): .pass("the certificate is taken from \(path)")
        case .none: .fail("neither a key nor a certificate is given")
        }
    }
}
