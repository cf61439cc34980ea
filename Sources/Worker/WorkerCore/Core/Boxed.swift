/// A value behind a reference. A copy retains one object, however many the value refers to.
struct Boxed<Value: Sendable>: Sendable {
    /// `@unchecked Sendable` because nothing changes a value to which there is another reference.
    private final class Box: @unchecked Sendable {
        var value: Value
        init(_ value: Value) { self.value = value }
    }

    private var box: Box

    init(_ value: Value) { box = Box(value) }

    var value: Value {
        _read { yield box.value }
        _modify {
            if !isKnownUniquelyReferenced(&box) { box = Box(box.value) }
            yield &box.value
        }
    }
}
