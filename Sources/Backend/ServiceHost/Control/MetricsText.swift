/// Builds counts in the text format of Prometheus.
package struct MetricsText: Sendable {
    private let prefix: String
    package private(set) var text = ""

    /// - Parameter prefix: Begins each name.
    package init(prefix: String) { self.prefix = prefix }

    package mutating func family(_ name: String, _ type: String, _ help: String) {
        text += "# HELP \(prefix)\(name) \(help)\n# TYPE \(prefix)\(name) \(type)\n"
    }

    /// - Parameter labels: Their values are words of this program, so they need no escaping.
    package mutating func sample(_ name: String, _ value: Int, _ labels: [(name: String, value: String)] = []) {
        let list = labels.map { "\($0.name)=\"\($0.value)\"" }.joined(separator: ",")
        text += "\(prefix)\(name)\(list.isEmpty ? "" : "{\(list)}") \(value)\n"
    }

    /// - Parameter bytes: The memory of the process; nil where the system does not say.
    package mutating func addResidentMemory(_ bytes: Int?) {
        guard let bytes else { return }
        text += "# HELP process_resident_memory_bytes Resident memory of the process.\n"
        text += "# TYPE process_resident_memory_bytes gauge\nprocess_resident_memory_bytes \(bytes)\n"
    }

    package var response: ServiceResponse {
        ServiceResponse(
            status: 200, headers: ["content-type": "text/plain;version=0.0.4;charset=UTF-8"], body: Array(text.utf8))
    }
}
