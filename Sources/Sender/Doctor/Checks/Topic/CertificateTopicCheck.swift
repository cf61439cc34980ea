import APNSModel
import TLSSession

extension DoctorCheck {
    static let certificateTopic = DoctorCheck(
        id: "certificate-topic", layer: .topic,
        summary: "The certificate is for the topic.",
        cause: "The certificate is of another app.",
        next: "use the certificate of this app, or a key, which is for all apps of the team",
        subject: { evidence in
            evidence.certificate.and(evidence.topic).flatMap { certificate, topic in
                certificate.facts.map { (facts: $0, topic: topic) }.seen(or: "the certificate could not be read")
            }
        }
    ) { facts, topic in
        let listed = facts.topics.isEmpty ? [facts.userID].compactMap(\.self) : facts.topics.map(\.topic)
        guard !listed.isEmpty else {
            return .fail("the certificate names no topic, so it is not a push certificate of an app")
        }
        let shown = listed.prefix(6).map { ShownText.quoted($0) }.joined(separator: ", ")
        guard listed.contains(topic) else {
            return .fail("the certificate is for \(shown), and not for \(ShownText.quoted(topic))")
        }
        return .pass("the certificate is for \(ShownText.quoted(topic))")
    }
}
