import ArgumentParser
import GatewayConfiguration

/// What the gateway keeps, and where.
struct GatewayStorageOptions: GatewayOptionGroup {
    @Option(.memory, transform: ArgumentReading.bytes) var memory: Int?
    @Option(.store) var store: String?
    @Option(.record) var record: String?
    @Option(.recordBytes, transform: ArgumentReading.bytes) var recordBytes: Int?
    @Option(.recordFiles, transform: ArgumentReading.positiveNumber) var recordFiles: Int?
    @Option(.retain, transform: ArgumentReading.positiveNumber) var retain: Int?
    @Option(.retainBytes, transform: ArgumentReading.positiveNumber) var retainBytes: Int?

    var options: [(setting: GatewaySetting, isGiven: Bool)] {
        [
            (.memory, memory != nil), (.recordBytes, recordBytes != nil), (.recordFiles, recordFiles != nil),
            (.store, store != nil), (.record, record != nil), (.retain, retain != nil),
            (.retainBytes, retainBytes != nil),
        ]
    }

    func apply(to configuration: inout GatewayConfiguration) {
        if let memory { configuration.memory = memory }
        if let recordBytes { configuration.recordBytes = recordBytes }
        if let recordFiles { configuration.recordFiles = recordFiles }
        if let store { configuration.store = store }
        if let record { configuration.record = record }
        if let retain { configuration.retain = retain }
        if let retainBytes { configuration.retainBytes = retainBytes }
    }
}
