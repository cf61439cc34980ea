import ArgumentParser
import GatewayConfiguration

/// What the gateway keeps, and where.
struct GatewayStorageOptions: GatewayOptionGroup {
    @Option(.store) var store: String?
    @Option(.record) var record: String?
    @Option(.retain, transform: ArgumentReading.positiveNumber) var retain: Int?
    @Option(.retainBytes, transform: ArgumentReading.positiveNumber) var retainBytes: Int?

    var options: [(setting: GatewaySetting, isGiven: Bool)] {
        [
            (.store, store != nil), (.record, record != nil), (.retain, retain != nil),
            (.retainBytes, retainBytes != nil),
        ]
    }

    func apply(to configuration: inout GatewayConfiguration) {
        if let store { configuration.store = store }
        if let record { configuration.record = record }
        if let retain { configuration.retain = retain }
        if let retainBytes { configuration.retainBytes = retainBytes }
    }
}
