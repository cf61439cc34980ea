import TLSSession

extension DoctorCheck {
    static let certificateDates = DoctorCheck(
        id: "certificate-dates", layer: .key,
        summary: "The certificate is valid now and for 30 days more.",
        cause: "A push certificate is valid for about a year, and was not renewed.",
        next: "renew the push certificate in the developer account, or change over to a key, which does not expire",
        subject: { evidence in
            evidence.certificate.flatMap { certificate in
                certificate.facts.map { (facts: $0, now: certificate.now) }
                    .seen(or: "the certificate could not be read")
            }
        }
    ) { facts, now in
        let until = UTCDateText.text(facts.notAfter)
        if facts.notAfter < now { return .fail("the certificate expired at \(until)") }
        if facts.notBefore > now {
            return .fail(
                "the certificate is not valid before \(UTCDateText.text(facts.notBefore))",
                next: "check the clock of this machine")
        }
        guard facts.notAfter - now > 30 * 86_400 else { return .warn("the certificate expires at \(until)") }
        return .pass("the certificate is valid until \(until)")
    }
}
