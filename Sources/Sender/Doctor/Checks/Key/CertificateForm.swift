import TLSSession

extension DoctorCheck {
    static let certificateForm = DoctorCheck(
        id: "certificate-form", layer: .key,
        summary:
            "The certificate and its private key can be read and belong together, and nobody else can read the file.",
        cause:
            "The certificate was exported without its key, the passphrase is missing, or the pair is of two renewals.",
        next: "export certificate and key together as PKCS#12, and set APNS_CERTIFICATE_PASSPHRASE",
        subject: \.certificate
    ) { certificate in
        if let failure = certificate.failure { return .fail(failure) }
        if let file = certificate.file, let others = file.others {
            return .warn(
                "the file has mode \(file.modeText): \(others) can use the key in it", next: "chmod 600 the file")
        }
        return .pass("\(certificate.facts?.commonName ?? certificate.path) and its key belong together")
    }
}
