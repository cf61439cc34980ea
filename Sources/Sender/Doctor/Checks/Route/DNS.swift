extension DoctorCheck {
    static let dns = DoctorCheck(
        id: "dns", layer: .route,
        summary: "The host of the destination has an address.",
        cause: "The machine has no resolver, or a name server that does not know names of the internet.",
        next: "check /etc/resolv.conf and the rules of the network for DNS; in Kubernetes the DNS policy of the pod",
        subject: \.names
    ) { names in
        if let failure = names.failure { return .fail("\(names.host): \(failure)") }
        guard !names.addresses.isEmpty else { return .fail("\(names.host) has no address") }
        let shown = names.addresses.prefix(4).map(\.text).joined(separator: ", ")
        let more = names.addresses.count > 4 ? " and \(names.addresses.count - 4) more" : ""
        return .pass("\(names.host) is \(shown)\(more)")
    }
}
