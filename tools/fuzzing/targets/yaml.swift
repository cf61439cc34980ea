import APNSModel
import ConfigurationText
import GatewayConfiguration
import PayloadLint

// A configuration of the validator or of a gateway, a file of rules to ignore, and a file of profiles. The reader of profiles
// is compiled together with this one.

/// In the place of what the command makes of a profile.
enum CredentialChoice {
    struct Given: Hashable, Sendable {
        var gateway: String?
        var environment: String?
        var key: String?
        var keyID: String?
        var teamID: String?
        var certificate: String?
        var certificateKey: String?
        var ca: String?
        var topic: String?
    }
}

/// In the place of the name of a gateway on this machine, which needs the files of running gateways.
struct LocalGatewayName {
    init?(_ text: String) throws {
        guard text == "local" else { return nil }
    }
}

private func check(_ errors: [ConfigurationError]) {
    for error in errors { precondition(!error.message.isEmpty && !error.description.isEmpty, "an error says nothing") }
}

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzYAML(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeRawBufferPointer(start: start, count: count))
    var resolver = SettingsResolver(currentFolder: "/project") { path in
        path == "/project/.apns-validate.yaml" ? .bytes(bytes) : .absent
    }
    _ = resolver.settings(for: "push.json")
    check(resolver.takeErrors())
    _ = SidecarReader.read(bytes, name: "push.json.apns-validate.yaml")
    // Each file that it names has the same bytes: a key, a certificate, answers.
    check(GatewayFile(bytes, name: "gateway.yaml", folder: "/project/") { _ in bytes }.errors)
    let profiles = ProfileFile(bytes, name: "profiles.yaml", folder: "/project/", home: nil)
    check(profiles.errors)
    if bytes.firstRange(of: Array("-----BEGIN".utf8)) != nil {
        precondition(profiles.names.isEmpty && profiles.errors.count == 1, "a file with a key is read")
    }
    return 0
}
