import APNSModel

extension Device {
    /// The form that a store keeps: the device without its deliveries, which have their own rows.
    package struct Document: Sendable, Codable {
        let device: Device
    }

    package var document: Document {
        var device = self
        device.waiting = []
        device.history = []
        return Document(device: device)
    }

    /// A device from a store. Its listeners ended with the gateway, so its connection is interrupted.
    package init(_ document: Document, waiting: [StoredDelivery], history: [Delivery]) {
        self = document.device
        self.waiting = DeliveryList(waiting)
        self.history = DeliveryList(history)
        if case .connected = connection { connection = isOnline ? .interrupted : .none }
    }

    package var waitingDeliveries: [StoredDelivery] { Array(waiting) }
    package var deliveredHistory: [Delivery] { Array(history) }

    /// The values of properties that a document of an older version lacks.
    package static let documentDefaults: Document? = {
        guard let token = DeviceToken("00"), let topic = Topic("app") else { return nil }
        return Document(
            device: Device(
                token: token, environment: .sandbox, kind: .app, topic: topic, ordinal: 0, isImplicit: false,
                registeredAt: 0))
    }()
}
