/// The devices of a table by their slots.
typealias DeviceSlots = ChunkedArray<Device>
