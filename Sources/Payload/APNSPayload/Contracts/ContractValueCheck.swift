import PayloadJSON

/// Checks one value against a contract.
struct ContractValueCheck {
    let key: ContractKey
    /// Only violations of these aspects are reported.
    let aspects: ContractAspect

    /// Reports the violation of a value and, for an array, those of its elements.
    func check(_ value: JSONIndex, _ notification: borrowing InspectedNotification, _ findings: inout Findings) {
        if let violation = violation(of: value, as: key.value, in: notification.document),
            aspects.contains(violation.aspect)
        {
            findings.report(
                "\(key.shownName) is \(violation.shown ?? notification.shown(value)); it must be \(violation.words)",
                at: notification.place(ofValue: value))
        }
        guard case .array(let element, _) = key.value, notification.document.kind(of: value) == .array else { return }
        checkElements(of: value, as: element, notification, &findings)
    }

    /// Reports one finding for all wrong elements, because there may be hundreds.
    private func checkElements(
        of array: JSONIndex, as wanted: ContractValue, _ notification: borrowing InspectedNotification,
        _ findings: inout Findings
    ) {
        var count = 0
        var wrong = 0
        var first: (element: JSONIndex, violation: ContractViolation)?
        for element in notification.document.elements(of: array) {
            count += 1
            guard let violation = violation(of: element, as: wanted, in: notification.document),
                aspects.contains(violation.aspect)
            else { continue }
            wrong += 1
            if first == nil { first = (element, violation) }
        }
        guard let first else { return }
        let shown = first.violation.shown ?? notification.shown(first.element)
        findings.report(
            "\(wrong) of \(count) elements of \(key.shownName) \(wrong == 1 ? "is" : "are") wrong"
                + "\(wrong == 1 ? "" : ", the first of them"): \(shown) must be \(first.violation.words)",
            at: notification.place(ofValue: first.element))
    }

    private func violation(
        of value: JSONIndex, as wanted: ContractValue, in document: borrowing JSONDocument
    ) -> ContractViolation? {
        let kind = document.kind(of: value)
        let isNumber = kind == .integer || kind == .fraction
        switch wanted {
        case .any: return nil
        case .string(let format, let length):
            guard kind == .string else { return ContractViolation(.keyType, wanted) }
            return violation(ofString: value, format, length, wanted, in: document)
        case .integer(let range):
            guard kind == .integer else { return ContractViolation(.keyType, wanted) }
            guard let range else { return nil }
            let isRight = document.integer(of: value).map { range.contains($0) } ?? false
            return isRight ? nil : ContractViolation(.range, wanted)
        case .number(let range):
            guard isNumber else { return ContractViolation(.keyType, wanted) }
            guard let range else { return nil }
            let isRight = document.number(of: value).map { range.contains($0) } ?? false
            return isRight ? nil : ContractViolation(.range, wanted)
        case .boolean: return kind == .true || kind == .false ? nil : ContractViolation(.keyType, wanted)
        case .object: return kind == .object ? nil : ContractViolation(.keyType, wanted)
        case .array(_, let range):
            guard kind == .array else { return ContractViolation(.keyType, wanted) }
            guard let range else { return nil }
            let count = document.elements(of: value).reduce(0) { count, _ in count + 1 }
            let words = count == 0 ? "empty" : "an array of \(count) element\(count == 1 ? "" : "s")"
            return range.contains(count) ? nil : ContractViolation(.range, wanted, shown: words)
        }
    }

    private func violation(
        ofString value: JSONIndex, _ format: ContractFormat, _ length: ClosedRange<Int>?, _ wanted: ContractValue,
        in document: borrowing JSONDocument
    ) -> ContractViolation? {
        if case .any = format, length == nil { return nil }
        if case .recordID = format, length == nil {
            switch RecordIDForm(value, of: document) {
            case .right: return nil
            case .wrongSuffix: return ContractViolation(.suffix, wanted)
            case .none: return ContractViolation(.format, wanted)
            }
        }
        guard let text = document.string(of: value) else { return nil }
        if let length, !length.contains(text.unicodeScalars.count) {
            return ContractViolation(.range, wanted, shown: "a string of \(text.unicodeScalars.count) characters")
        }
        return format.accepts(text) ? nil : ContractViolation(.format, wanted)
    }
}

/// How a value is wrong, and what was wanted.
private struct ContractViolation {
    let aspect: ContractAspect
    let wanted: ContractValue
    /// The value in words; nil to show the value itself.
    let shown: String?

    /// What was wanted, for messages.
    var words: String {
        aspect == .suffix ? "a record id of which the last three characters match the others" : wanted.description
    }

    init(_ aspect: ContractAspect, _ wanted: ContractValue, shown: String? = nil) {
        self.aspect = aspect
        self.wanted = wanted
        self.shown = shown
    }
}
