import PayloadJSON

/// A finding with its place in a file, for reports.
public struct LocatedFinding: Hashable, Sendable {
    /// The message of a finding about an option names the option.
    public var finding: Finding
    /// The JSON pointer (RFC 6901) into the file, or into the line of a stream; empty for all of it. Nil for a finding about
    /// the value of an option.
    public var pointer: String?
    public var file: String
    /// Counted from 1.
    public var line: Int
    /// In characters (Unicode scalars), counted from 1.
    public var column: Int
    /// The end of the finding, one character after the last; the same as the start if the range is empty.
    public var endLine: Int
    public var endColumn: Int
    /// The range in the source; empty if only an offset is known.
    package var range: Range<Int>
    /// The range in the file, if the source is a whole file. It differs from `range` behind a byte order mark.
    package var fileRange: Range<Int>
    /// The range of the source line in which the finding begins, without its line end.
    var lineRange: Range<Int>
    /// The edits of the finding's fix, or of its correction of a header, as ranges of the source.
    package var edits: [Fix.Edit]

    /// Locates `findings` in the source of `sourced`, in the order of their places and, at the same place, of their rule ids.
    ///
    /// A finding about an absent header is at the object that lacks it, one about the payload as a whole at the beginning of
    /// the payload, and one about the value of an option at the beginning of the source.
    public static func locate(_ findings: [Finding], in sourced: SourcedEnvelope) -> [LocatedFinding] {
        guard !findings.isEmpty else { return [] }
        let lines = LineIndex(sourced.source.bytes)
        return findings.map { sourced.located($0, lines) }.inOrder
    }

    /// Locates `findings` in a source that is a bare payload, in the same order.
    ///
    /// - Parameter options: Where the values of headers come from, as in `SourcedEnvelope.headerOptions`.
    package static func locate(
        _ findings: [Finding], inPayload source: SourceText, options: [String: String] = [:]
    ) -> [LocatedFinding] {
        guard !findings.isEmpty else { return [] }
        let lines = LineIndex(source.bytes)
        var located: [LocatedFinding] = []
        located.reserveCapacity(findings.count)
        for finding in findings {
            switch finding.place {
            case .header(let name):
                located.append(
                    options[name].map { LocatedFinding(finding, about: $0, in: source, lines) }
                        ?? LocatedFinding(finding, "", at: source.openingBrace, in: source, lines, edits: []))
            case .pointer(let pointer, let range):
                located.append(
                    LocatedFinding(finding, pointer, at: range, in: source, lines, edits: finding.fix?.edits ?? []))
            case .payload, .text:
                located.append(
                    LocatedFinding(
                        finding, "", at: finding.range ?? 0..<0, in: source, lines, edits: finding.fix?.edits ?? []))
            }
        }
        return located.inOrder
    }

    /// A finding about bytes of `source` that are not part of a payload.
    package init(
        _ finding: Finding, pointer: String = "", at range: Range<Int>, in source: SourceText, edits: [Fix.Edit] = []
    ) {
        self.init(finding, pointer, at: range, in: source, LineIndex(source.bytes), edits: edits)
    }

    /// A finding about the value of an option.
    fileprivate init(_ finding: Finding, about option: String, in source: SourceText, _ lines: LineIndex) {
        var finding = finding
        finding.message = "\(option): \(finding.message)"
        self.init(finding, nil, at: 0..<0, in: source, lines, edits: [])
    }

    fileprivate init(
        _ finding: Finding, _ pointer: String?, at range: Range<Int>, in source: SourceText, _ lines: LineIndex,
        edits: [Fix.Edit]
    ) {
        let (start, end) = lines.locations(of: range)
        self.finding = finding
        self.pointer = pointer
        self.range = range
        fileRange = source.skippedBytes + range.lowerBound..<source.skippedBytes + range.upperBound
        self.edits = edits
        file = source.name
        line = source.firstLine + start.line - 1
        column = start.column
        endLine = source.firstLine + end.line - 1
        endColumn = end.column
        lineRange = lines.lineRange(of: range.lowerBound)
    }

    /// Whether a tool can do something about it in the file: whether there is a `fixTitle`.
    package var isFixable: Bool { finding.fix != nil || !edits.isEmpty && finding.correction != nil }

    /// A sentence that names the missing key; nil if none is missing.
    package var note: String? { finding.missingKey.map { "the missing key is \($0)" } }

    /// What a tool can do about it in the file, in the imperative; nil if only a person can decide.
    package var fixTitle: String? {
        if let fix = finding.fix { return fix.title }
        return edits.isEmpty ? nil : finding.correction.map { "write \($0)" }
    }
}

extension [LocatedFinding] {
    /// In the order of their places in one source and, at the same place, of their rule ids.
    package var inOrder: [LocatedFinding] {
        // Most are in order already, and sorting copies each twice.
        guard indices.dropFirst().contains(where: { !isInOrder($0) }) else { return self }
        return enumerated().sorted { left, right in
            let places = (left.element.range.lowerBound, right.element.range.lowerBound)
            guard places.0 == places.1 else { return places.0 < places.1 }
            let rules = (left.element.finding.rule, right.element.finding.rule)
            return rules.0 == rules.1 ? left.offset < right.offset : rules.0 < rules.1
        }.map(\.element)
    }

    /// Whether the finding at `index` may stay behind the one before it.
    private func isInOrder(_ index: Int) -> Bool {
        let (before, start) = (self[index - 1].range.lowerBound, self[index].range.lowerBound)
        return before == start ? self[index - 1].finding.rule <= self[index].finding.rule : before < start
    }
}

extension Finding {
    /// The pointer into a file that has the payload at `base`.
    fileprivate func payloadPointer(in base: String) -> String {
        guard case .pointer(let pointer, _) = place else { return base }
        return base + pointer
    }
}

extension SourcedEnvelope {
    fileprivate func located(_ finding: Finding, _ lines: LineIndex) -> LocatedFinding {
        guard case .header(let name) = finding.place else {
            var finding = finding
            if payloadOrigin.isEncoded { finding.fix = nil }
            var range = finding.range.map { payloadOrigin.sourceRange(of: $0) }
            if case .text(let fault) = finding.place {
                range = payloadOrigin.encodedRange(of: fault.lowerBound) ?? range
            }
            let edits = finding.fix?.edits.map { payloadOrigin.sourceEdit(of: $0) } ?? []
            let start = payloadOrigin.sourceOffset(of: 0)
            return LocatedFinding(
                finding, payloadOrigin.isEncoded ? payloadPointer : finding.payloadPointer(in: payloadPointer),
                at: range ?? start..<start, in: source, lines, edits: edits)
        }
        if let option = headerOptions[name] { return LocatedFinding(finding, about: option, in: source, lines) }
        if let range = headerRanges[name] {
            let key = envelope.kind == .apns && name == "apns-topic" ? EnvelopeReader.simulatorKey : name
            return LocatedFinding(
                finding, "/" + JSONPointer.escaped(key), at: range, in: source, lines,
                edits: finding.correction.map { [source.edit(of: range, writing: $0)] } ?? [])
        }
        var finding = finding
        let isAbsent = envelope.hasKnownHeaders && envelope.value(ofHeader: name) == nil
        finding.missingKey = isAbsent ? name : nil
        return LocatedFinding(finding, "", at: source.openingBrace, in: source, lines, edits: [])
    }
}

extension SourceText {
    /// Where a finding about a header that is not in the text is shown: at the first `{`.
    fileprivate var openingBrace: Range<Int> {
        let start = bytes.firstIndex { $0 == UInt8(ascii: "{") } ?? 0
        return start..<min(start + 1, bytes.count)
    }

    /// The edit that replaces a key, or a value that is a string or a number: a string by a string, a number by a number.
    fileprivate func edit(of range: Range<Int>, writing text: String) -> Fix.Edit {
        let isString = bytes[range.lowerBound] == UInt8(ascii: "\"")
        return Fix.Edit(range, isString ? JSONWriter.quoted(text) : text)
    }
}

extension PayloadOrigin {
    /// The edit of the source for an edit of the payload.
    fileprivate func sourceEdit(of edit: Fix.Edit) -> Fix.Edit {
        Fix.Edit(sourceRange(of: edit.range), edit.replacement)
    }
}
