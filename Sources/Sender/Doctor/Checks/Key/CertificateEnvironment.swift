import APNSModel
import TLSSession

extension DoctorCheck {
    static let certificateEnvironment = DoctorCheck(
        id: "certificate-environment", layer: .key,
        summary: "The certificate is for the environment of the destination.",
        cause: "An old certificate for the sandbox alone is used for production, or the other way round.",
        next:
            "use the other environment, or make a certificate for both (Apple Push Notification service SSL, Sandbox & "
            + "Production)",
        subject: { evidence in
            evidence.certificate.flatMap { certificate in
                certificate.facts.map { (facts: $0, destination: evidence.destination) }
                    .seen(or: "the certificate could not be read")
            }
        }
    ) { facts, destination in
        let allowed: [APNSEnvironment] = [
            facts.allowsSandbox ? .sandbox : nil, facts.allowsProduction ? .production : nil,
        ]
        .compactMap(\.self)
        let names = allowed.map(\.rawValue).joined(separator: " and ")
        guard !allowed.isEmpty else {
            return .fail("it has neither extension of a push certificate (1.2.840.113635.100.6.3)")
        }
        guard let wanted = destination.environment else {
            return .skip("it is for \(names); the environment of \(destination.name) is not known")
        }
        guard allowed.contains(wanted) else {
            return .fail("it is for \(names), and the destination is \(wanted.rawValue)")
        }
        return .pass("it is for \(names)")
    }
}
