/// Receives changes of the lifecycle, like an application delegate on other platforms.
@MainActor
public protocol ApplicationLifecycleDelegate: AnyObject {
    /// The host has left the foreground. Players act on it after this.
    func applicationDidEnterBackground(_ application: ApplicationLifecycle)
    /// The host returns to the foreground. Players act on it after this.
    func applicationWillEnterForeground(_ application: ApplicationLifecycle)
}

extension ApplicationLifecycleDelegate {
    /// Does nothing.
    public func applicationDidEnterBackground(_ application: ApplicationLifecycle) {}
    /// Does nothing.
    public func applicationWillEnterForeground(_ application: ApplicationLifecycle) {}
}

/// Receives changes of the lifecycle, like a scene delegate on other platforms.
@MainActor
public protocol SceneLifecycleDelegate: AnyObject {
    /// The host has left the foreground. Players act on it after this.
    func sceneDidEnterBackground(_ scene: ApplicationLifecycle)
    /// The host returns to the foreground. Players act on it after this.
    func sceneWillEnterForeground(_ scene: ApplicationLifecycle)
}

extension SceneLifecycleDelegate {
    /// Does nothing.
    public func sceneDidEnterBackground(_ scene: ApplicationLifecycle) {}
    /// Does nothing.
    public func sceneWillEnterForeground(_ scene: ApplicationLifecycle) {}
}
