import APNSModel
import ConfigurationText
import ProviderToken

/// The file of `--tenants`.
///
/// ```yaml
/// tenants:
///   - name: acme
///     key: AuthKey_ABC123DEFG.p8     # relative to the folder of this file
///     team-id: DEF123GHIJ
///     topic: com.example.app
///     environment: production
///     rate: 500
/// ```
struct WorkerTenantFile {
    struct Tenant {
        var name: String
        var given: CredentialChoice.Given
        var rate: Int?
    }

    private(set) var tenants: [Tenant] = []

    static let maximumTenants = 10_000
    static let maximumBytes = 1 << 20
    static let keys = [
        "name", "key", "key-id", "team-id", "topic", "environment", "gateway", "ca", "certificate", "certificate-key",
        "rate",
    ]

    init(path: String) throws(CommandError) {
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try InputFile.bytes(of: path, limit: WorkerTenantFile.maximumBytes)
        } catch {
            throw CommandError("\(error); it should be the file of --tenants (docs/worker.md)")
        }
        try self.init(bytes, name: path)
    }

    init(_ bytes: [UInt8], name file: String) throws(CommandError) {
        guard bytes.firstRange(of: Array("-----BEGIN".utf8)) == nil else {
            throw CommandError(
                "\(file) has the text of a key or certificate; store it in a file with mode 0600 and give its path")
        }
        var reader = YAMLReader(file: file)
        do throws(ConfigurationError) {
            guard let root = try YAMLText.read(bytes, name: file), !root.isNothing else {
                throw ConfigurationError(file: file, "it is empty; it needs a list with the key tenants")
            }
            for (_, key, node) in reader.members(of: root, nil, known: ["tenants"]) {
                for (key, node) in reader.list(node, key) { read(node, key, file, &reader) }
            }
        } catch {
            throw CommandError(error.description)
        }
        guard reader.errors.isEmpty else {
            throw CommandError("\(file) cannot be used:\n" + reader.errors.map(\.description).joined(separator: "\n"))
        }
        guard tenants.count <= WorkerTenantFile.maximumTenants else {
            throw CommandError(
                "\(file) has \(tenants.count) tenants, and \(WorkerTenantFile.maximumTenants) are the most for a worker"
            )
        }
    }

    private mutating func read(_ node: YAMLNode, _ key: String, _ file: String, _ reader: inout YAMLReader) {
        var tenant = Tenant(name: "", given: CredentialChoice.Given())
        let errorCount = reader.errors.count
        func path(_ text: String) -> String { WorkerConfigFile.resolved(text, beside: file) }
        for (member, key, node) in reader.members(of: node, key, known: WorkerTenantFile.keys) {
            if member == "rate" {
                tenant.rate = reader.number(node, key, in: 1...1_000_000_000).map { Int($0) }
                continue
            }
            guard let text = reader.string(node, key) else { continue }
            switch member {
            case "name":
                if text.utf8.count > 128 || text.isEmpty {
                    reader.report("the name of a tenant has 1 to 128 bytes", at: node, key)
                }
                if tenants.contains(where: { $0.name == text }) {
                    reader.report("there is already a tenant with this name", at: node, key)
                }
                tenant.name = text
            case "key": tenant.given.key = path(text)
            case "ca": tenant.given.ca = path(text)
            case "certificate": tenant.given.certificate = path(text)
            case "certificate-key": tenant.given.certificateKey = path(text)
            case "key-id":
                tenant.given.keyID = checked(
                    text, KeyID(text) != nil, "10 characters of 0-9 and A-Z", node, key, &reader)
            case "team-id":
                tenant.given.teamID = checked(
                    text, TeamID(text) != nil, "10 characters of 0-9 and A-Z", node, key, &reader)
            case "topic":
                tenant.given.topic = checked(
                    text, Topic(text) != nil, "a bundle id such as com.example.app", node, key, &reader)
            case "environment":
                tenant.given.environment = reader.word(
                    node, key, APNSEnvironment.allCases.map { ($0.rawValue, $0.rawValue) })
            case "gateway": tenant.given.gateway = text
            default: break
            }
        }
        if tenant.name.isEmpty { reader.report("a tenant needs a name", at: node, key) }
        if tenant.given.key != nil, tenant.given.certificate != nil {
            reader.report("key and certificate exclude each other; remove one of them", at: node, key)
        }
        if !tenant.given.namesIdentity { reader.report("a tenant needs a key or a certificate", at: node, key) }
        if reader.errors.count == errorCount, let missing = WorkerTenantFile.missing(in: tenant.given) {
            reader.report(missing, at: node, key)
        }
        tenants.append(tenant)
    }

    /// What a key needs beside it. Neither options nor variables nor a profile count for tenants.
    private static func missing(in given: CredentialChoice.Given) -> String? {
        guard let key = given.key else { return nil }
        if given.teamID == nil { return "the team of the key is not known: add team-id" }
        guard given.keyID == nil, CredentialChoice.keyID(inNameOf: key) == nil else { return nil }
        return "the id of the key is not known: add key-id, or name the file AuthKey_KEYID.p8"
    }

    private func checked(
        _ text: String, _ isGood: Bool, _ expected: String, _ node: YAMLNode, _ key: String, _ reader: inout YAMLReader
    ) -> String? {
        if isGood { return text }
        reader.report("\(node.shown) is given where \(expected) is expected", at: node, key)
        return nil
    }
}
