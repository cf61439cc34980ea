import APNSModel
import APNSProvider
import OrgSimulator
import PushDispatch
import ServiceHost

/// Where an org is and how to use it.
struct OrgReadyMessage {
    let server: OrgServer
    let gateway: APNSGateway?
    let isJSON: Bool

    func show() {
        let output = Output.standard
        let org = server.read { $0.org }
        let users = org.users.values.sorted { $0.id.description < $1.id.description }
        let apps = org.apps.values.sorted { $0.name < $1.name }
        if isJSON {
            let line: [(key: String, value: JSONValue)] = [
                ("event", "ready"), ("org", .string(server.url)), ("control", .string("\(server.url)/simulator")),
                ("version", .string(OrgEndpoint.version)),
                ("gateway", gateway.map { .string($0.description) } ?? .null),
                ("users", .array(users.map { ["id": .string($0.id.description), "name": .string($0.name)] })),
                (
                    "apps",
                    .array(apps.map { ["name": .string($0.name), "bundle": .string($0.bundleID.value)] })
                ),
            ]
            var bytes: [UInt8] = []
            JSONValue.appendObject(line, to: &bytes)
            output.write(bytes + [0x0a])
        } else {
            output.result(text(users, apps, org))
        }
        output.flush()
    }

    private func text(_ users: [OrgUser], _ apps: [OrgApp], _ org: Org) -> String {
        let name = users.first?.name ?? ""
        let apns = ShellText.command
        let isDefault = server.port == OrgEndpoint.defaultPort
        let at = isDefault ? "" : " --at \(ShellText.word(server.url))"
        let (object, field) = OrgReadyMessage.edit(of: org)
        return """
            The simulated org is running.

              REST         \(server.url)/services/data/\(OrgEndpoint.version)
              control API  \(server.url)/simulator
              gateway      \(gateway?.description ?? "none: pushes are only logged; --gateway sends them")
              users        \(users.prefix(10).map(\.name).joined(separator: ", "))
              apps         \(apps.map { "\($0.name) (\($0.bundleID))" }.joined(separator: ", "))

            Run a device of \(name), change something, and see what follows:

              APNS_ORG_TOKEN=$(\(apns) org login \(ShellText.word(name))\(at)) \(apns) device \
            --org \(ShellText.word(server.url))
              \(apns) org edit \(object) --all \(field)=Changed\(at)
              \(apns) org explain\(at)

            Ctrl-C stops the org.
            """
    }

    /// An edit that sends a push, if the org has one: of an object with records, and of a field that a trigger watches and that
    /// can have any text, so not a reference.
    static func edit(of org: Org) -> (object: String, field: String) {
        let objects = org.objects.values.filter { !org.records(of: $0.name).isEmpty }.sorted { $0.name < $1.name }
        for object in objects {
            let watched = object.trigger?.watched.map(\.field) ?? []
            if let field = watched.first(where: { !$0.hasSuffix("Id") }) { return (object.name, field) }
        }
        return (objects.first?.name ?? "Account", "Name")
    }
}
