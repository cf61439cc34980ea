import Doctor
import PayloadJSON

/// Prints the results of `apns doctor` as they come.
struct DoctorReport {
    private let isJSON: Bool
    private let output: Output
    private var layer: DoctorLayer?
    /// Skipped checks of this layer with the same message, for one line.
    private var skipped: [DoctorResult] = []

    init(isJSON: Bool, output: Output) {
        self.isJSON = isJSON
        self.output = output
    }

    mutating func add(_ result: DoctorResult) {
        guard !isJSON else { return output.result(DoctorReport.json(result)) }
        if let first = skipped.first,
            result.state != .skip || result.message != first.message || result.layer != first.layer
        {
            endSkipped()
        }
        if result.layer != layer {
            layer = result.layer
            output.result(output.results.strong(result.layer.rawValue))
        }
        guard result.state != .skip || !result.next.isEmpty else { return skipped.append(result) }
        print(result, names: result.check)
    }

    mutating func end(_ summary: DoctorSummary) {
        guard !isJSON else { return output.result(DoctorReport.json(summary)) }
        endSkipped()
        output.result("")
        output.result(DoctorReport.text(summary))
    }

    private mutating func endSkipped() {
        guard let first = skipped.first else { return }
        print(first, names: skipped.map(\.check).joined(separator: ", "))
        skipped = []
    }

    private func print(_ result: DoctorResult, names: String) {
        let style = output.results
        let word =
            switch result.state {
            case .pass: style.good("pass")
            case .warn: style.doubtful("warn")
            case .fail: style.bad("FAIL")
            case .skip: "skip"
            }
        output.result("  \(word)  \(names): \(PlainText.safe(result.message))")
        if !result.next.isEmpty { output.result("        next: \(PlainText.safe(result.next))") }
    }

    // MARK: Forms

    static func json(_ result: DoctorResult) -> String {
        let text = JSONText.object { object in
            object.add("check", result.check)
            object.add("layer", result.layer.rawValue)
            object.add("state", result.state.rawValue)
            object.add("message", result.message)
            object.add("next", result.next)
        }
        return String(decoding: text.bytes, as: UTF8.self)
    }

    static func json(_ summary: DoctorSummary) -> String {
        let text = JSONText.object { object in
            object.add("event", "summary")
            object.add("pass", summary[.pass])
            object.add("warn", summary[.warn])
            object.add("fail", summary[.fail])
            object.add("skip", summary[.skip])
        }
        return String(decoding: text.bytes, as: UTF8.self)
    }

    static func text(_ summary: DoctorSummary) -> String {
        let warnings = "\(summary[.warn]) warning\(summary[.warn] == 1 ? "" : "s")"
        return "\(summary[.fail]) failed, \(warnings), \(summary[.pass]) passed, \(summary[.skip]) skipped"
    }
}
