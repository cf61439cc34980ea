import APNSModel
package import APNSPayload

/// Checks the notifications of files with the same settings. It reuses its memory, so use one for many notifications.
package struct NotificationChecker {
    /// What was found in one notification.
    package struct Result {
        /// Without those that a suppression ignores.
        package var findings: [LocatedFinding] = []
        package var suppressed = 0
        /// What the ranges of the findings belong to, for reports; nil for the text that was checked. Behind a byte order
        /// mark it is the text without the mark.
        package var source: SourceText?
    }

    package let settings: LintSettings
    /// The rules that a file beside the payload file says to ignore.
    package var sidecar: Suppression?
    private var reader = EnvelopeReader()
    private var validator: Validator
    private let topic: String?
    private let pushType: String?
    private let headerOptions: [String: String]

    /// - Parameter now: In seconds since 1970-01-01 UTC.
    package init(_ settings: LintSettings, now: Int64) {
        self.settings = settings
        validator = Validator(rules: settings.rules, contracts: settings.contracts)
        validator.now = now
        topic = settings.topic?.value
        pushType = settings.pushType?.rawValue
        var options: [String: String] = [:]
        if topic != nil { options["apns-topic"] = settings.topicOption }
        if pushType != nil { options["apns-push-type"] = settings.pushTypeOption }
        headerOptions = options
    }

    /// The findings of a text that is a bare payload, an envelope in its usual form without findings, or not JSON. Nil for
    /// everything else, which `check` reads.
    package mutating func quickFindings(_ text: UnsafeRawBufferPointer) -> [Finding]? {
        validator.findings(forLine: text, topic: topic, pushType: pushType)
    }

    /// Checks the one notification of `source`.
    package mutating func check(_ source: SourceText) -> Result {
        var rest = source
        let mark = ByteOrderMark.remove(from: &rest)
        guard mark == 0 else { return check(rest, afterMark: mark) }
        return check(source, source.isSimulatorFile ? nil : source.bytes.withUnsafeBytes { quickFindings($0) })
    }

    /// - Parameter findings: Those of `quickFindings`.
    package mutating func check(_ source: SourceText, _ findings: [Finding]?) -> Result {
        if let findings { return result(of: findings, inPayload: source) }
        var sourced = reader.read(source)
        for (header, option) in headerOptions where sourced.envelope.take(header, topic: topic, pushType: pushType) {
            sourced.headerOptions[header] = option
        }
        var found = validator.findings(for: sourced.envelope)
        let mayIgnore = sourced.envelope.kind == .envelope && Suppression.mayOccur(in: source.bytes)
        guard !found.isEmpty || mayIgnore else { return Result() }
        var suppression = mayIgnore ? Suppression(ofEnvelope: source.bytes) : nil
        var result = Result()
        result.suppressed = remove(&found, ignoredBy: &suppression)
        result.findings = LocatedFinding.locate(found, in: sourced)
        if let suppression {
            result.findings = (result.findings + suppression.findings(in: source, settings: settings)).inOrder
        }
        return result
    }

    /// The findings behind a byte order mark, and one about the mark. Columns are those of an editor, which does not show it.
    private mutating func check(_ rest: SourceText, afterMark length: Int) -> Result {
        var result = check(rest)
        result.source = rest
        guard let rule = settings.lintRule(LintRule.byteOrderMark) else { return result }
        guard sidecar?.ignores(rule.id) != true else {
            result.suppressed += 1
            return result
        }
        var located = LocatedFinding(ByteOrderMark.finding(of: rule), at: 0..<0, in: rest)
        located.fileRange = 0..<length
        result.findings.insert(located, at: 0)
        return result
    }

    /// The source after all fixes, and how many findings were fixed.
    package mutating func fixed(_ source: SourceText) -> (source: SourceText, count: Int) {
        var fixed = source
        var count = 0
        var wasEdited = false
        for _ in 0..<Fixer.maximumRounds {
            let mark = ByteOrderMark.length(of: fixed.bytes)
            let located = check(fixed).findings
            // Only valid JSON has fixes beside the removal of a mark, so a fix must have broken it.
            if wasEdited, located.contains(where: { $0.finding.rule == Rule.payloadJSON.id }) { return (source, 0) }
            var result = Fixer.apply(located, to: Array(fixed.bytes.dropFirst(mark)))
            wasEdited = wasEdited || result.count > 0
            if mark > 0 {
                // The finding about the mark is there unless the rule is off or ignored.
                if located.contains(where: { $0.finding.rule == LintRule.byteOrderMark.id }) {
                    result.count += 1
                } else {
                    result.bytes = Array(fixed.bytes.prefix(mark)) + result.bytes
                }
            }
            guard result.count > 0, result.bytes != fixed.bytes else { break }
            fixed.bytes = result.bytes
            count += result.count
        }
        return (fixed, count)
    }

    private mutating func result(of findings: [Finding], inPayload source: SourceText) -> Result {
        guard !findings.isEmpty else { return Result() }
        var findings = findings
        var suppression: Suppression?
        var result = Result()
        result.suppressed = remove(&findings, ignoredBy: &suppression)
        result.findings = LocatedFinding.locate(findings, inPayload: source, options: headerOptions)
        return result
    }

    /// - Returns: How many findings were removed.
    private mutating func remove(_ findings: inout [Finding], ignoredBy suppression: inout Suppression?) -> Int {
        guard suppression != nil || sidecar != nil else { return 0 }
        let count = findings.count
        findings.removeAll { finding in
            suppression?.ignores(finding.rule) == true || sidecar?.ignores(finding.rule) == true
        }
        return count - findings.count
    }
}

extension Envelope {
    /// Takes the value of a header from the settings where the file has none.
    ///
    /// - Returns: Whether it was taken.
    fileprivate mutating func take(_ header: String, topic: String?, pushType: String?) -> Bool {
        switch header {
        case "apns-topic" where self.topic == nil: self.topic = topic
        case "apns-push-type" where self.pushType == nil: self.pushType = pushType
        default: return false
        }
        return true
    }
}

/// The bytes EF BB BF at the beginning of a text in UTF-8.
package enum ByteOrderMark {
    /// 3, or 0 for a text without one. More where the mark is repeated.
    package static func length(of bytes: [UInt8]) -> Int {
        var length = 0
        while bytes.count >= length + 3, bytes[length] == 0xEF, bytes[length + 1] == 0xBB, bytes[length + 2] == 0xBF {
            length += 3
        }
        return length
    }

    /// Removes the mark at the beginning of a text.
    ///
    /// - Returns: How many bytes were removed.
    package static func remove(from source: inout SourceText) -> Int {
        let count = length(of: source.bytes)
        guard count > 0 else { return 0 }
        source.bytes.removeFirst(count)
        source.skippedBytes += count
        return count
    }

    /// - Parameter rule: `LintRule.byteOrderMark`, with its severity.
    package static func finding(of rule: Rule) -> Finding {
        Finding(
            of: rule,
            "the text begins with a byte order mark, which no JSON reader has to accept; save it as UTF-8 without one",
            at: .payload, fix: Fix("remove the byte order mark", []))
    }
}
