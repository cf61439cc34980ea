import ConfigurationText
import PushDispatch
import ServiceHost

/// Builds a configuration from the members of a document.
struct OptimizationDocumentReader: ServiceDocumentReader {
    var reader: YAMLReader
    let folder: String
    var configuration: OptimizationConfiguration
    /// Mistakes in files of entries.
    private(set) var fileErrors: [ConfigurationError] = []
    private var locales: [String]?
    var valueCount = 0
    static let maximumValues = 200_000

    init(reader: YAMLReader, folder: String, seed: UInt64) {
        self.reader = reader
        self.folder = folder
        configuration = OptimizationConfiguration(seed: seed)
    }

    mutating func read(_ root: YAMLNode, _ readFile: (_ path: String) throws -> [UInt8]) {
        let members = members(of: root, nil, .document)
        // The seed comes first, because ids follow from it; locales come before the entries that have them.
        let order = ["seed", "locales"]
        for name in order { members.filter { $0.name == name }.forEach { take($0) } }
        for member in members where !order.contains(member.name) && member.name != "entries" { take(member) }
        for member in members where member.name == "entries" { entries(member.node, member.key, readFile) }
    }

    private mutating func take(_ member: Member) {
        let (name, key, node) = member
        switch name {
        case "seed":
            guard let seed = reader.number(node, key, in: 0...Int64.max) else { return }
            configuration = OptimizationConfiguration(seed: UInt64(seed))
        case "client-id": configuration.clientID = pathPart(node, key) ?? configuration.clientID
        case "environment": configuration.environment = pathPart(node, key) ?? configuration.environment
        case "space": configuration.space = pathPart(node, key) ?? configuration.space
        case "access-token": configuration.accessToken = token(node, key) ?? configuration.accessToken
        case "strict-events": configuration.isStrict = reader.boolean(node, key) ?? configuration.isStrict
        case "locales":
            let names = reader.strings(node, key).compactMap { self.name($0.node, $0.key) }
            guard !names.isEmpty, names.count <= OptimizationLimits.locales, Set(names).count == names.count,
                !names.contains("*")
            else {
                reader.report(
                    "1 to \(OptimizationLimits.locales) different locales such as en-US are expected", at: node, key)
                return
            }
            locales = names
        case "audiences": audiences(node, key)
        case "locations": locations(node, key)
        case "limits": limits(node, key)
        case "faults": configuration.faults += faults(node, key)
        default: break
        }
    }

    // MARK: Entries

    private mutating func entries(
        _ node: YAMLNode, _ key: String, _ readFile: (_ path: String) throws -> [UInt8]
    ) {
        var content = ContentStore()
        if let locales { content.locales = locales }
        let files = reader.strings(node, key)
        guard files.count <= OptimizationLimits.files else {
            reader.report(
                "there are \(files.count) files; at most \(OptimizationLimits.files) are allowed", at: node, key)
            return
        }
        var bytes = 0
        for file in files {
            let path = file.text.hasPrefix("/") ? file.text : folder + file.text
            let text: [UInt8]
            do {
                text = try readFile(path)
            } catch {
                reader.report("\(error)", at: file.node, file.key)
                continue
            }
            bytes += text.count
            guard bytes <= OptimizationLimits.contentBytes else {
                reader.report(
                    "with this file there are more than \(OptimizationLimits.contentBytes) bytes of entries",
                    at: file.node,
                    file.key)
                return
            }
            do throws(ContentFile.Fault) {
                for entry in try ContentFile(text).entries { content.add(entry) }
            } catch {
                fileErrors.append(
                    ConfigurationError(file: path, line: error.line, column: error.column, error.description))
            }
            guard content.entries.count + content.assets.count <= OptimizationLimits.entries else {
                reader.report(
                    "with this file there are more than \(OptimizationLimits.entries) entries", at: file.node, file.key)
                return
            }
        }
        configuration.setContent(content)
        for refused in configuration.refusedExperiences where refused.isTooLarge {
            reader.report("the experience entry \(refused.entry): \(refused.why)", at: node, key)
        }
    }

    // MARK: Audiences

    private mutating func audiences(_ node: YAMLNode, _ key: String) {
        for (key, node) in list(node, key, limit: OptimizationLimits.audiences) {
            let members = members(of: node, key, .audience)
            guard let id = requiredName("id", members, node, key) else { continue }
            guard !configuration.audiences.contains(where: { $0.id == id }) else {
                reader.report("another audience has this id", at: node, key)
                continue
            }
            var audience = AudienceRule(id)
            for (name, key, node) in members {
                switch name {
                case "name": audience.name = self.name(node, key) ?? id
                case "when":
                    for (key, node) in list(node, key, limit: OptimizationLimits.conditions) {
                        if let condition = condition(node, key) { audience.conditions.append(condition) }
                    }
                default: break
                }
            }
            configuration.audiences.append(audience)
        }
    }

    private mutating func condition(_ node: YAMLNode, _ key: String) -> AudienceCondition? {
        var subjects: [AudienceCondition.Subject] = []
        var tests: [Comparison<String>] = []
        for (name, key, node) in members(of: node, key, .condition) {
            switch name {
            case "trait": self.name(node, key).map { subjects.append(.trait($0)) }
            case "location": self.name(node, key).map { subjects.append(.location($0)) }
            case "session": self.name(node, key).map { subjects.append(.session($0)) }
            case "event": self.name(node, key).map { subjects.append(.event($0)) }
            case "equals": value(node, key).map { tests.append(.equals($0)) }
            case "greater": value(node, key).map { tests.append(.greater($0)) }
            case "less": value(node, key).map { tests.append(.less($0)) }
            case "exists": reader.boolean(node, key).map { tests.append(.exists($0)) }
            case "in":
                var values: [String] = []
                for (key, node) in list(node, key, limit: 100) { value(node, key).map { values.append($0) } }
                tests.append(.isIn(values))
            default: break
            }
        }
        guard subjects.count == 1, tests.count == 1 else {
            if node.isMapping {
                reader.report(
                    "a condition has one of trait, location, session, event and one of equals, in, exists, greater, less",
                    at: node, key)
            }
            return nil
        }
        return AudienceCondition(subjects[0], tests[0])
    }

    // MARK: The rest

    private mutating func locations(_ node: YAMLNode, _ key: String) {
        for (address, key, node) in reader.members(of: node, key) {
            guard configuration.locations.count < OptimizationLimits.locations else {
                reader.report("there are more than \(OptimizationLimits.locations) addresses", at: node, key)
                return
            }
            guard counts(node, key), let value = reader.json(node, key, depth: 3) else { continue }
            let known = ProfileEvent.locationKeys
            guard let location = value.object, location.keys.allSatisfy(known.contains) else {
                reader.report("a location has the keys \(known.sorted().joined(separator: ", "))", at: node, key)
                continue
            }
            configuration.locations[address] = location
        }
    }

    private mutating func limits(_ node: YAMLNode, _ key: String) {
        for (name, key, node) in members(of: node, key, .limits) {
            var limits = configuration.limits
            switch name {
            case "profiles": limits.profiles = limit(node, key, upTo: 1_000_000) ?? limits.profiles
            case "events": limits.events = limit(node, key, upTo: 1_000_000) ?? limits.events
            case "event-bytes": limits.eventBytes = limit(node, key, upTo: 4_294_967_296) ?? limits.eventBytes
            case "message-ids": limits.messageIDs = limit(node, key, upTo: 10_000_000) ?? limits.messageIDs
            case "requests-per-profile": limits.requestsPerProfile = limit(node, key, upTo: 1_000_000)
            case "entries-per-second": limits.entriesPerSecond = limit(node, key, upTo: 1_000_000)
            default: break
            }
            configuration.limits = limits
        }
    }

    private mutating func members(of node: YAMLNode, _ key: String?, _ place: OptimizationKey.Place) -> [Member] {
        members(of: node, key, known: OptimizationKey.names(in: place))
    }

    /// A name that stands in a path as it is.
    private mutating func pathPart(_ node: YAMLNode, _ key: String) -> String? {
        guard let text = name(node, key) else { return nil }
        guard text.utf8.allSatisfy(OptimizationDocumentReader.isInPath) else {
            reader.report(
                "\(node.shown) is given where letters, digits and - . _ ~ are expected, because paths have it",
                at: node, key)
            return nil
        }
        return text
    }

    /// Unreserved characters (RFC 3986, 2.3).
    private static func isInPath(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }
}
