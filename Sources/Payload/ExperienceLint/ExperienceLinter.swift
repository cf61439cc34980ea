package import APNSPayload
import PayloadJSON

/// Checks the experience entries of a file: a delivery reply, an array of entries, or one entry; links may be replaced by
/// their entries.
package struct ExperienceLinter {
    package struct Result: Sendable {
        package let findings: [Finding]
        /// How many experiences were checked.
        package let experiences: Int
    }

    package static let maximumBytes = 67_108_864
    /// Further findings of one rule in a file are counted only.
    package static let maximumFindings = 100

    private static let maximumLinks = 1_000

    private let document: JSONDocument
    /// Entries with fields, by `sys.id`; the first of each.
    private let entries: [String: JSONIndex]
    private var findings: [Finding] = []
    private var counts: [String: Int] = [:]

    package static func check(_ bytes: [UInt8]) -> Result {
        let document: JSONDocument
        do throws(JSONSyntaxError) {
            document = try JSONDocument(bytes)
        } catch {
            let end = min(error.offset + 1, bytes.count)
            let place = Finding.Place.text(min(error.offset, end)..<end)
            return Result(findings: [Finding(of: ExperienceRule.file, error.description, at: place)], experiences: 0)
        }
        var linter = ExperienceLinter(document)
        return linter.run()
    }

    private init(_ document: JSONDocument) {
        self.document = document
        var entries: [String: JSONIndex] = [:]
        for object in document.objects {
            guard document.member("fields", of: object) != nil, let id = ExperienceLinter.id(of: object, document),
                entries[id] == nil
            else { continue }
            entries[id] = object
        }
        self.entries = entries
    }

    private mutating func run() -> Result {
        let isList = document.kind(of: .root) == .array
        let isReply = document.member("items", of: .root).map { document.kind(of: $0) == .array } ?? false
        let isEntry = document.member("sys", of: .root) != nil && document.member("fields", of: .root) != nil
        guard isList || isReply || isEntry else {
            report(
                ExperienceRule.file,
                "this is not a delivery reply with items, an array of entries, or one entry with sys and fields", .root)
            return Result(findings: findings, experiences: 0)
        }
        var ids: [String: String] = [:]
        var checked: Set<String> = []
        var count = 0
        for object in document.objects {
            guard let fields = document.member("fields", of: object), document.isObject(fields) else { continue }
            let id = ExperienceLinter.id(of: object, document)
            if contentType(of: object) == "nt_experience" {
                // An entry that stands in several places is checked and counted once.
                guard id.map({ checked.insert($0).inserted }) ?? true else { continue }
                count += 1
                check(fields, object)
                checkID(fields, entry: id ?? "", &ids)
            }
            checkExperiences(of: fields, baseline: id)
        }
        for (rule, all) in counts.sorted(by: { $0.key < $1.key }) where all > ExperienceLinter.maximumFindings {
            guard let last = findings.lastIndex(where: { $0.rule == rule }) else { continue }
            findings[last].message += "; \(all - ExperienceLinter.maximumFindings) more of this rule are not listed"
        }
        findings.sort { ($0.range?.lowerBound ?? 0, $0.rule) < ($1.range?.lowerBound ?? 0, $1.rule) }
        return Result(findings: findings, experiences: count)
    }

    // MARK: Reading

    private static func id(of object: JSONIndex, _ document: JSONDocument) -> String? {
        document.member("sys", of: object).flatMap { document.member("id", of: $0) }.flatMap { document.string(of: $0) }
    }

    private func contentType(of object: JSONIndex) -> String? {
        document.member("sys", of: object).flatMap { document.member("contentType", of: $0) }
            .flatMap { document.member("sys", of: $0) }.flatMap { document.member("id", of: $0) }
            .flatMap { document.string(of: $0) }
    }

    /// The entry that a value is, or that a link in its place leads to; nil where it is not in the file.
    private func entry(_ value: JSONIndex) -> JSONIndex? {
        if document.member("fields", of: value) != nil { return value }
        return ExperienceLinter.id(of: value, document).flatMap { entries[$0] }
    }

    private func fields(of entry: JSONIndex) -> JSONIndex? { document.member("fields", of: entry) }

    private func string(_ key: StaticString, _ object: JSONIndex) -> String? {
        document.member(key, of: object).flatMap { document.string(of: $0) }
    }

    private func shown(_ index: JSONIndex) -> String {
        let text = document.source(of: index)
        return text.utf8.count > 40 ? "\(text.prefix(40))…" : text
    }

    private mutating func report(_ rule: Rule, _ message: String, _ index: JSONIndex) {
        counts[rule.id, default: 0] += 1
        guard counts[rule.id, default: 0] <= ExperienceLinter.maximumFindings else { return }
        findings.append(
            Finding(of: rule, message, at: .pointer(document.pointer(to: index), document.range(of: index))))
    }

    // MARK: One experience

    private mutating func check(_ fields: JSONIndex, _ entry: JSONIndex) {
        guard !hasLocaleMaps(fields) else { return }
        for key in ["nt_experience_id", "nt_type", "nt_config"] {
            let value = document.member(named: key, of: fields)
            let wanted: JSONKind = key == "nt_config" ? .object : .string
            guard let value else {
                report(ExperienceRule.requiredField, "\(key) is missing", fields)
                continue
            }
            if document.kind(of: value) != wanted || wanted == .string && document.string(of: value) == "" {
                report(
                    ExperienceRule.requiredField,
                    "\(key) is \(shown(value)); \(wanted == .object ? "an object" : "a string that is not empty") is wanted",
                    value)
            }
        }
        if let type = document.member("nt_type", of: fields), let word = document.string(of: type),
            !["", "nt_experiment", "nt_personalization"].contains(word)
        {
            report(
                ExperienceRule.kind, "nt_type is \(shown(type)); nt_experiment or nt_personalization is wanted", type)
        }
        checkAudience(fields)
        guard let config = document.member("nt_config", of: fields), document.isObject(config) else { return }
        checkTraffic(config)
        let shares = checkShares(config)
        checkComponents(config, shares, fields)
    }

    /// Reports the first field that is a map by locale.
    private mutating func hasLocaleMaps(_ fields: JSONIndex) -> Bool {
        for member in document.members(of: fields) {
            guard let key = document.string(of: member.key), key.hasPrefix("nt_"), document.isObject(member.value)
            else {
                continue
            }
            // An entry or a link has `sys`, which could be a language.
            guard document.member("sys", of: member.value) == nil else { continue }
            let keys = document.members(of: member.value).compactMap { document.string(of: $0.key) }
            guard let first = keys.first, keys.allSatisfy(ExperienceLinter.isLocale) else { continue }
            report(
                ExperienceRule.localeMap,
                "\(key) is a map by locale (\(first)); ask for the entries of one locale, without locale=*",
                member.value)
            return true
        }
        return false
    }

    /// `en`, `en-US`, `zh-Hant-TW` and the like.
    private static func isLocale(_ text: String) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard let language = parts.first, (2...3).contains(language.utf8.count),
            language.utf8.allSatisfy({ (0x61...0x7a).contains($0) })
        else { return false }
        return parts.dropFirst().allSatisfy { part in
            (2...8).contains(part.utf8.count) && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
        }
    }

    private mutating func checkID(_ fields: JSONIndex, entry: String, _ ids: inout [String: String]) {
        guard let value = document.member("nt_experience_id", of: fields), let id = document.string(of: value),
            !id.isEmpty
        else { return }
        if let other = ids[id] {
            report(
                ExperienceRule.duplicateID, "nt_experience_id \(shown(value)) is that of the entry \(other) too", value)
        } else {
            ids[id] = entry
        }
    }

    private mutating func checkAudience(_ fields: JSONIndex) {
        guard let audience = document.member("nt_audience", of: fields), document.kind(of: audience) != .null else {
            return
        }
        guard let entry = entry(audience) else {
            let id = ExperienceLinter.id(of: audience, document).map { "the audience \($0)" } ?? "the audience"
            return report(ExperienceRule.audienceMissing, "\(id) is not in the file", audience)
        }
        let id = self.fields(of: entry).flatMap { string("nt_audience_id", $0) }
        if id == nil || id == "" {
            report(ExperienceRule.audienceMissing, "the audience has no nt_audience_id", audience)
        }
    }

    private mutating func checkTraffic(_ config: JSONIndex) {
        guard let value = document.member("traffic", of: config) else {
            return report(ExperienceRule.trafficZero, "traffic is missing, so it is 0 and nobody is in", config)
        }
        guard let traffic = document.number(of: value), (0...1).contains(traffic) else {
            return report(ExperienceRule.traffic, "traffic is \(shown(value)); a number from 0 to 1 is wanted", value)
        }
        if traffic == 0 { report(ExperienceRule.trafficZero, "traffic is 0, so nobody is in", value) }
    }

    /// - Returns: The shares; nil where they cannot be read.
    private mutating func checkShares(_ config: JSONIndex) -> [Double]? {
        guard let value = document.member("distribution", of: config) else { return [] }
        guard document.kind(of: value) == .array else {
            report(ExperienceRule.shareValue, "distribution is \(shown(value)); a list of numbers is wanted", value)
            return nil
        }
        var shares: [Double] = []
        var isWhole = true
        for element in document.elements(of: value) {
            guard let share = document.number(of: element), (0...1).contains(share) else {
                report(
                    ExperienceRule.shareValue, "the share is \(shown(element)); a number from 0 to 1 is wanted", element
                )
                isWhole = false
                continue
            }
            shares.append(share)
        }
        guard isWhole else { return nil }
        if shares.count > 1_000 {
            report(
                ExperienceRule.tooManyShares, "distribution has \(shares.count) shares; at most 1000 are taken", value)
        }
        let sum = shares.reduce(0, +)
        if !shares.isEmpty, abs(sum - 1) > 1e-9 {
            report(ExperienceRule.sharesSum, "the shares sum to \(sum); 1 is wanted", value)
        }
        for (index, element) in document.elements(of: value).enumerated() where index > 0 && shares[index] == 0 {
            report(ExperienceRule.indexUnreachable, "the share of variant \(index) is 0, so nobody gets it", element)
        }
        return shares
    }

    // MARK: Components

    private mutating func checkComponents(_ config: JSONIndex, _ shares: [Double]?, _ fields: JSONIndex) {
        let variants = checkVariants(fields)
        guard let components = document.member("components", of: config) else { return }
        guard document.kind(of: components) == .array else {
            return report(ExperienceRule.component, "components is \(shown(components)); a list is wanted", components)
        }
        for component in document.elements(of: components) {
            let kind = string("type", component) ?? "EntryReplacement"
            switch kind {
            case "EntryReplacement":
                let id = document.member("baseline", of: component).flatMap { string("id", $0) }
                if id == nil || id == "" { report(ExperienceRule.component, "baseline.id is missing", component) }
            case "InlineVariable":
                if (string("key", component) ?? "").isEmpty {
                    report(ExperienceRule.component, "key is missing", component)
                }
            default:
                report(
                    ExperienceRule.component, "the type is \(kind); EntryReplacement or InlineVariable is wanted",
                    component)
                continue
            }
            checkVariants(of: component, shares, kind == "EntryReplacement" ? variants : nil)
        }
    }

    /// The ids of `nt_variants` whose entries are there.
    private mutating func checkVariants(_ fields: JSONIndex) -> Set<String> {
        guard let list = document.member("nt_variants", of: fields) else { return [] }
        guard document.kind(of: list) == .array else {
            report(ExperienceRule.variantUnresolved, "nt_variants is \(shown(list)); a list of entries is wanted", list)
            return []
        }
        var found: Set<String> = []
        for element in document.elements(of: list) {
            let id = ExperienceLinter.id(of: element, document)
            guard let id, entry(element) != nil else {
                report(
                    ExperienceRule.variantUnresolved, "the variant \(id ?? shown(element)) is not in the file", element)
                if let id { found.insert(id) }  // one finding for one mistake
                continue
            }
            found.insert(id)
        }
        return found
    }

    /// - Parameter known: The ids of `nt_variants`; nil for variables.
    private mutating func checkVariants(of component: JSONIndex, _ shares: [Double]?, _ known: Set<String>?) {
        let list = document.member("variants", of: component)
        if let list, document.kind(of: list) != .array {
            return report(ExperienceRule.component, "variants is \(shown(list)); a list is wanted", list)
        }
        var count = 0
        if let list {
            for element in document.elements(of: list) {
                count += 1
                if let shares, count >= max(1, shares.count) {
                    report(
                        ExperienceRule.indexUnreachable,
                        "variant \(count) has no share: distribution has \(shares.count)", element)
                }
                guard let known else { continue }
                guard let id = string("id", element) else {
                    report(ExperienceRule.variantMissing, "variant \(count) has no id", element)
                    continue
                }
                // An empty id shows nothing, on purpose.
                if !id.isEmpty, !known.contains(id) {
                    report(
                        ExperienceRule.variantUnresolved, "variant \(count), \(id), is not in nt_variants", element)
                }
            }
        }
        guard let shares, shares.count - 1 > count else { return }
        let missing = (count + 1..<shares.count).filter { shares[$0] > 0 }
        guard let first = missing.first else { return }
        report(
            ExperienceRule.variantMissing,
            "there are \(count) variants and \(shares.count) shares: who gets index \(first) sees the baseline",
            list ?? component)
    }

    // MARK: Entries that have experiences

    private mutating func checkExperiences(of fields: JSONIndex, baseline: String?) {
        guard let list = document.member("nt_experiences", of: fields), document.kind(of: list) == .array else {
            return
        }
        for (position, element) in document.elements(of: list).enumerated() {
            guard let entry = entry(element) else {
                let id = ExperienceLinter.id(of: element, document) ?? shown(element)
                report(ExperienceRule.linkUnresolved, "the experience \(id) is not in the file", element)
                continue
            }
            // The bound keeps a file of links to one large entry from taking hours.
            guard position < ExperienceLinter.maximumLinks, let baseline, let fields = self.fields(of: entry),
                let config = document.member("nt_config", of: fields),
                let components = document.member("components", of: config)
            else { continue }
            let fits = document.elements(of: components).prefix(ExperienceLinter.maximumLinks).contains { component in
                (string("type", component) ?? "EntryReplacement") != "EntryReplacement"
                    || document.member("baseline", of: component).flatMap { string("id", $0) } == baseline
            }
            if !fits {
                report(
                    ExperienceRule.baseline, "the experience has no component for the entry \(baseline)", element)
            }
        }
    }
}
