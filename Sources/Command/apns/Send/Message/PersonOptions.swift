import ArgumentParser
import DeviceSimulator

/// The options that name a person instead of a device token.
struct PersonOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A user of a simulated org, by name or id, instead of device tokens: all devices that are registered for the "
                + "app.", valueName: "id"))
    var user: String?

    @Option(
        help: ArgumentHelp(
            "The address of that org (default: http://127.0.0.1:\(OrgEndpoint.defaultPort)).", valueName: "url"))
    var org: String?

    func validate() throws {
        if org != nil, user == nil { throw ValidationError("--org needs --user, whose devices the org knows.") }
        if let user, user.isEmpty { throw ValidationError("--user is empty.") }
        if let org, ControlEndpoint(url: org) == nil {
            throw ValidationError("--org \(PlainText.safe(org)): it must be a URL like \(PersonOptions.defaultOrg)")
        }
    }

    private static let defaultOrg = "http://127.0.0.1:\(OrgEndpoint.defaultPort)"

    /// Where to ask for the devices; nil where no person was given.
    var registry: PersonRegistry? { user.map { PersonRegistry(user: $0, org: org ?? PersonOptions.defaultOrg) } }
}
