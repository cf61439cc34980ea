import APNSModel

extension Device {
    /// What a store keeps of it: the device without its deliveries, which have rows of their own.
    package struct Document: Sendable, Codable {
        let device: Device
    }

    package var document: Document {
        var device = self
        device.waiting = []
        device.history = []
        return Document(device: device)
    }

    /// A device as it was. Whoever was connected to it is gone with the gateway, so that all waits for it to resume.
    package init(_ document: Document, waiting: [StoredDelivery], history: [Delivery]) {
        self = document.device
        self.waiting = waiting
        self.history = history
        if case .connected = connection { connection = isOnline ? .interrupted : .none }
    }

    package var waitingDeliveries: [StoredDelivery] { waiting }
    package var deliveredHistory: [Delivery] { history }

    /// What a document of an older version is completed with.
    package static let documentDefaults: Document? = {
        guard let token = DeviceToken("00"), let topic = Topic("app") else { return nil }
        return Document(
            device: Device(
                token: token, environment: .sandbox, kind: .app, topic: topic, ordinal: 0, isImplicit: false,
                registeredAt: 0))
    }()
}
