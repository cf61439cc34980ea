extension DoctorCheck {
    static let ipv6 = DoctorCheck(
        id: "ipv6", layer: .route,
        summary: "The machine has a route to the addresses that the resolver gives, of IPv4 or IPv6.",
        cause: "The machine has only IPv6 and the host only IPv4 addresses, or the other way round.",
        next: "give the machine a route for the addresses of the host: NAT64 with DNS64, or a network with both",
        subject: { evidence in
            evidence.names.flatMap { names in
                names.addresses.isEmpty ? .unseen("the host has no address") : .seen(names.addresses)
            }
        }
    ) { addresses in
        let families = [(name: "IPv4", isIPv6: false), (name: "IPv6", isIPv6: true)].compactMap { family in
            let own = addresses.filter { $0.isIPv6 == family.isIPv6 }
            return own.isEmpty ? nil : (name: family.name, hasRoute: own.contains(where: \.hasRoute))
        }
        let good = families.filter(\.hasRoute).map(\.name)
        let bad = families.filter { !$0.hasRoute }.map(\.name)
        guard !good.isEmpty else {
            return .fail("the machine has no route to any address of the host (\(bad.joined(separator: ", ")))")
        }
        guard bad.isEmpty else {
            return .pass(
                "there is a route by \(good.joined(separator: " and ")), and none by \(bad.joined(separator: " and ")), which is not needed"
            )
        }
        return .pass("there is a route by \(good.joined(separator: " and "))")
    }
}
