import APNSModel
package import ConfigurationText
import PushDispatch
package import SelectiveSync

/// The initial state of an org, read from a YAML document: objects with their triggers, users, apps, types of notices,
/// records, faults and limits (docs/org.md).
///
/// An invalid entry is reported with its place and the rest is still read, so that one run reports all mistakes.
package struct OrgDocument: Sendable {
    package private(set) var org: Org
    package private(set) var errors: [ConfigurationError] = []
    /// The key files of the apps that name one, by API name; relative to the document's folder.
    package private(set) var keyFiles: [String: String] = [:]

    static let keys = [
        "settings", "users", "apps", "objects", "notice-types", "records", "hidden-fields", "faults", "seed",
    ]

    /// - Parameters:
    ///   - name: The name of the document in messages.
    ///   - now: The creation date of records that have none.
    package init(_ bytes: [UInt8], name: String, at now: ServerDate) {
        org = Org()
        let root: YAMLNode?
        do throws(ConfigurationError) {
            root = try YAMLText.read(bytes, name: name)
        } catch {
            root = nil
            errors.append(error)
        }
        guard let root, !root.isNothing else {
            org.addDefaultUserAndApp()
            return
        }
        var reader = YAMLReader(file: name)
        let members = reader.members(of: root, nil, known: OrgDocument.keys)
        var builder = OrgDocumentReader(reader: reader, now: now)
        builder.read(members)
        org = builder.org
        keyFiles = builder.keyFiles
        errors += builder.reader.errors.sorted { ($0.line ?? 0, $0.column ?? 0) < ($1.line ?? 0, $1.column ?? 0) }
    }

    /// The org used without a document: one user, one app and a few records.
    package static func standard(at now: ServerDate) -> Org {
        var org = Org()
        org.addDefaultUserAndApp()
        for name in ["Northwind Clinic", "Contoso Pharmacy", "Fabrikam Labs"] {
            _ = try? org.create(
                "Account", ["Name": .string(name), "Type": "Prospect"], by: Org.defaultUser.id, at: now)
        }
        return org
    }
}

extension Org {
    static let defaultUser = OrgUser(RecordID("005xx0000000001")!, name: "ada@example.com")

    /// The topic of the development credentials.
    private static let defaultBundleID = "com.example.agent"

    mutating func addDefaultUserAndApp() {
        if users.isEmpty { users[Org.defaultUser.id] = Org.defaultUser }
        if apps.isEmpty, let bundle = Topic(Org.defaultBundleID) {
            apps[OutgoingPush.defaultApplication] = OrgApp(OutgoingPush.defaultApplication, bundleID: bundle)
        }
    }
}
