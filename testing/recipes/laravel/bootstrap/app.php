<?php

// A project with the parts of laravel/laravel 8 that the recipe uses. Laravel itself is loaded from the include path.
require_once 'GuzzleHttp/autoload.php';
require_once 'Illuminate/autoload.php';
spl_autoload_register(function (string $class): void {
    $file = dirname(__DIR__) . '/' . lcfirst(strtr($class, '\\', '/')) . '.php';
    if (str_starts_with($class, 'App\\') && is_file($file)) {
        require $file;
    }
});

$app = new Illuminate\Foundation\Application(dirname(__DIR__));
$app->singleton(Illuminate\Contracts\Http\Kernel::class, App\Http\Kernel::class);
$app->singleton(Illuminate\Contracts\Console\Kernel::class, Illuminate\Foundation\Console\Kernel::class);
$app->singleton(Illuminate\Contracts\Debug\ExceptionHandler::class, Illuminate\Foundation\Exceptions\Handler::class);

return $app;
